import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { findNatsServer } from '@signalbox/servers';
import { DEPLOYED, serviceOf } from '../src/launcher/services.js';
import { loginsOf } from './deployed-settings.js';
import { ROOT } from './manifests.js';

const TOKEN = 'token-of-the-service-account';
const MASTER_KEY = 'signalbox-master-key';
const SERVICES = [...new Set(DEPLOYED.map((each) => `signalbox-${serviceOf(each)}`))];
const NAMES = [...SERVICES, 'signalbox-nats'];

interface Body {
  metadata: { name: string };
  stringData: Record<string, string>;
}

/** The Secrets of a cluster behind the part of its API that the Job uses. */
class Cluster {
  readonly secrets = new Map<string, Record<string, string>>();
  /** The template of the pods of NATS, which are replaced when it changes. */
  natsTemplate: unknown = undefined;
  restarts = 0;
  isOutOfReach = false;
  readonly calls: string[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      void this.reply(request).then(([status, content]) => response.writeHead(status).end(JSON.stringify(content)));
    });
  }

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async reply(request: IncomingMessage): Promise<[number, unknown]> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = (chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined) as Body | undefined;
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return [401, { message: 'who are you' }];
    const { pathname, searchParams } = new URL(request.url!, 'http://cluster');
    this.calls.push(`${request.method} ${pathname}`);
    const type = request.headers['content-type'];
    if (pathname === '/apis/apps/v1/namespaces/test/statefulsets/nats' && type === 'application/merge-patch+json') {
      if (this.isOutOfReach) return [503, { message: 'the cluster is busy' }];
      if (!isDeepStrictEqual(this.natsTemplate, body)) this.restarts++;
      this.natsTemplate = body;
      return [200, {}];
    }
    const [, name] = /^\/api\/v1\/namespaces\/test\/secrets(?:\/(.+))?$/.exec(pathname) ?? [];
    if (request.method === 'GET' && name !== undefined) {
      const found = this.secrets.get(name);
      return found ? [200, { data: base64Of(found) }] : [404, { message: `secrets "${name}" not found` }];
    }
    if (request.method === 'POST' && name === undefined && body) {
      if (this.secrets.has(body.metadata.name)) return [409, { message: 'exists' }];
      this.secrets.set(body.metadata.name, body.stringData);
      return [201, {}];
    }
    const isApplied = type === 'application/apply-patch+yaml' && searchParams.get('fieldManager') !== null;
    if (request.method === 'PATCH' && name !== undefined && name === body?.metadata.name && isApplied) {
      this.secrets.set(name, body.stringData);
      return [200, {}];
    }
    return [400, { message: `${request.method} ${request.url} is not known here` }];
  }
}

const base64Of = (data: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));

describe('the Job that makes the Secrets of the services', () => {
  const cluster = new Cluster();
  let folder: string;
  let url: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'secrets-'));
    await writeFile(join(folder, 'token'), `${TOKEN}\n`);
    url = await cluster.start();
  });
  afterAll(async () => {
    cluster.stop();
    await rm(folder, { recursive: true });
  });

  const run = async (env: Record<string, string> = {}): Promise<{ stdout: string; stderr: string }> =>
    promisify(execFile)(process.execPath, [join(ROOT, 'k8s/chart/files/make-secrets.mjs')], {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        CLUSTER_URL: url,
        TOKEN_FILE: join(folder, 'token'),
        NAMESPACE: 'test',
        MASTER_KEY_SECRET: MASTER_KEY,
        MASTER_KEY_KEY: 'MASTER_KEY',
        SECRETS: NAMES.join(','),
        DATABASE_URL: 'postgres://owner:password@db.test:5432/signalbox?sslmode=verify-full',
        NATS_URL: 'nats://nats:4222',
        NATS_STATEFULSET: 'nats',
        ...env,
      },
    });

  it('makes the master key and what follows from it', async () => {
    await run();
    expect([...cluster.secrets.keys()].sort()).toEqual([MASTER_KEY, ...NAMES].sort());
    const { MASTER_KEY: key } = cluster.secrets.get(MASTER_KEY)!;
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    for (const service of DEPLOYED) {
      const secret = cluster.secrets.get(`signalbox-${serviceOf(service)}`)!;
      expect(Object.keys(secret).sort()).toEqual(loginsOf(service).sort());
      expect(Object.values(secret)).not.toContain(key);
    }
    expect(cluster.secrets.get('signalbox-accounts')!.DATABASE_URL).toMatch(
      /^postgres:\/\/svc_accounts:[0-9a-f]{64}@db\.test:5432\/signalbox\?sslmode=verify-full$/,
    );
    const password = new URL(cluster.secrets.get('signalbox-runner')!.NATS_URL!).password;
    expect(cluster.secrets.get('signalbox-nats')!['nats.conf']).toContain(password);
  });

  it('changes nothing when it runs again', async () => {
    const [before, restarts] = [new Map(cluster.secrets), cluster.restarts];
    await run();
    expect(cluster.secrets).toEqual(before);
    expect(cluster.restarts).toBe(restarts);
  });

  it('adds the logins and keys of a second master key while it changes', async () => {
    const before = new Map(cluster.secrets);
    const { MASTER_KEY: former } = cluster.secrets.get(MASTER_KEY)!;
    await expect(run({ MASTER_KEY_NEXT_KEY: 'NEW' })).rejects.toThrow(`the Secret ${MASTER_KEY} has no NEW`);
    cluster.secrets.set(MASTER_KEY, { MASTER_KEY: former!, NEW: 'n'.repeat(64) });
    await run({ MASTER_KEY_KEY: 'NEW', MASTER_KEY_PREVIOUS_KEY: 'MASTER_KEY' });
    const { PROVIDER_SEAL_KEY: keys, DATABASE_URL: url } = cluster.secrets.get('signalbox-traffic')!;
    expect(keys).toMatch(/^[0-9a-f]{64},[0-9a-f]{64}$/);
    expect(keys!.split(',')[1]).toBe(before.get('signalbox-traffic')!.PROVIDER_SEAL_KEY);
    expect(url).toMatch(/^postgres:\/\/svc_traffic_[0-9a-f]{8}:/);
    expect(cluster.secrets.get('signalbox-nats')!['nats.conf']).toContain(
      new URL(before.get('signalbox-traffic')!.NATS_URL!).password,
    );
    cluster.secrets.set(MASTER_KEY, { MASTER_KEY: former! });
    await run();
    expect(cluster.secrets).toEqual(before);
  });

  it('restarts NATS when its users changed, also when the cluster refuses it at first', async () => {
    const { 'nats.conf': config } = cluster.secrets.get('signalbox-nats')!;
    const annotations = { 'signalbox/nats-config': expect.stringMatching(/^[0-9a-f]{64}$/) as string };
    const template = { spec: { template: { metadata: { annotations } } } };
    expect(cluster.natsTemplate).toEqual(template);
    cluster.natsTemplate = 'of an earlier release';
    cluster.secrets.set('signalbox-nats', { 'nats.conf': 'of an earlier release' });
    cluster.isOutOfReach = true;
    await expect(run()).rejects.toThrow('503 the cluster is busy');
    cluster.isOutOfReach = false;
    expect(cluster.secrets.get('signalbox-nats')).toEqual({ 'nats.conf': config });
    const before = cluster.restarts;
    await run();
    expect(cluster.natsTemplate).toEqual(template);
    expect(cluster.restarts).toBe(before + 1);
    await run({ NATS_STATEFULSET: '' });
    expect(cluster.restarts).toBe(before + 1);
  });

  it('configures a cluster that the server accepts', async () => {
    await run({ NATS_ROUTES: 'nats-0.nats,nats-1.nats,nats-2.nats' });
    const file = join(folder, 'cluster.conf');
    writeFileSync(file, cluster.secrets.get('signalbox-nats')!['nats.conf']!);
    const env = { NATS_SERVER_NAME: 'nats-1' };
    const { status, stderr } = spawnSync(findNatsServer(), ['-t', '-c', file], { env, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, expect.stringContaining('is valid')]);
    expect(readFileSync(file, 'utf8')).toMatch(/routes: \["nats-route:\/\/route:[0-9a-f]{64}@nats-0\.nats:6222", /);
  });

  it('does not replace a master key that was lost', async () => {
    cluster.secrets.delete(MASTER_KEY);
    const before = new Map(cluster.secrets);
    await expect(run()).rejects.toThrow(`the Secret ${MASTER_KEY} is missing, and signalbox-gateway`);
    expect(cluster.secrets).toEqual(before);
  });

  it('reaches no Secret but its own', () => {
    const paths = cluster.calls.filter((call) => call.includes('/secrets/')).map((call) => call.split('/').at(-1)!);
    expect([...new Set(paths)].sort()).toEqual([MASTER_KEY, ...NAMES].sort());
  });
});
