import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { SERVICES } from '@signalbox/contracts';
import {
  eventually,
  type HttpTarget,
  Platform,
  startHttpTarget,
  startObjectServer,
  startServers,
  TEST_MASTER_KEY,
  type TestServers,
} from '@signalbox/testing';
import { CallingCompany } from './retention/calls.js';

const CLI = fileURLToPath(new URL('../../../apps/cli/bin/signalbox.mjs', import.meta.url));
const RUNNING = [
  'accounts',
  'traffic',
  'agents',
  'workflows',
  'runner',
  'monitors',
  'test-runs',
  'training',
  'gateway',
];
const SCHEMAS = SERVICES.filter(({ database }) => database).map(({ name }) => name);
const ECHO = { model: 'simulated-echo', system_prompt: 'You help.' };

interface Ended {
  code: number;
  output: string;
  errors: string;
}

/** `signalbox admin …` as an operator of the platform on these servers runs it. */
function admin(servers: TestServers, words: string[], env: Record<string, string> = {}): Promise<Ended> {
  const settings = {
    PATH: process.env.PATH,
    DATABASE_URL: servers.postgres.url,
    DATA_DIR: servers.dir,
    MASTER_KEY: TEST_MASTER_KEY,
    ...env,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, 'admin', ...words], { env: settings }, (error, output, errors) =>
      resolve({ code: error ? Number(error.code) : 0, output, errors }),
    );
  });
}

/** The output of a command that succeeds. */
async function succeeding(servers: TestServers, words: string[], env?: Record<string, string>): Promise<string> {
  const { code, output, errors } = await admin(servers, words, env);
  expect([code, errors]).toEqual([0, errors]);
  return output;
}

/** The login of a managed Postgres: it owns the database and may create roles. */
async function plainOwner({ postgres: { url } }: TestServers): Promise<string> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`CREATE ROLE plain_owner LOGIN CREATEROLE PASSWORD 'plain'`);
  await client.query('ALTER DATABASE postgres OWNER TO plain_owner');
  await client.end();
  const owner = new URL(url);
  [owner.username, owner.password] = ['plain_owner', 'plain'];
  return owner.href;
}

/** By table, the number of its rows and a hash of them. */
async function contents(platform: Platform): Promise<Record<string, string>> {
  const { rows: tables } = await platform.sql.query<{ schema: string; name: string }>(
    `SELECT n.nspname AS schema, c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p') ORDER BY 1, 2`,
    [SCHEMAS],
  );
  const found: Record<string, string> = {};
  for (const { schema, name } of tables) {
    const rows = name === 'migrations' ? 't.name' : 't::text';
    const { rows: hashes } = await platform.sql.query<{ n: number; hash: string | null }>(
      `SELECT count(*)::int AS n, md5(string_agg(${rows}, '|' ORDER BY ${rows})) AS hash FROM "${schema}"."${name}" t`,
    );
    found[`${schema}.${name}`] = `${hashes[0]?.n} ${hashes[0]?.hash}`;
  }
  return found;
}

/** What keeps companies apart, and what ids begin at. The outcomes of backups belong to a server and are not restored. */
async function guards(platform: Platform): Promise<unknown[]> {
  const { rows: policies } = await platform.sql.query(
    `SELECT schemaname, tablename, policyname, roles::text, cmd, qual, with_check FROM pg_policies ORDER BY 1, 2, 3`,
  );
  const { rows: tables } = await platform.sql.query(
    `SELECT c.oid::regclass::text AS name, relrowsecurity, relforcerowsecurity, relacl::text, pg_get_userbyid(relowner) AS owner,
       (SELECT array_agg(tgname::text || tgenabled::text ORDER BY tgname) FROM pg_trigger WHERE tgrelid = c.oid AND NOT tgisinternal) AS triggers
     FROM pg_class c WHERE relnamespace::regnamespace::text = ANY ($1) AND relkind IN ('r', 'p') ORDER BY 1`,
    [SCHEMAS.map((name) => (name.includes('-') ? `"${name}"` : name))],
  );
  const { rows: sequences } = await platform.sql.query(
    `SELECT schemaname, sequencename, last_value FROM pg_sequences WHERE schemaname = ANY ($1) ORDER BY 1, 2`,
    [SCHEMAS],
  );
  const { rows: constraints } = await platform.sql.query(
    `SELECT conrelid::regclass::text AS name, conname, pg_get_constraintdef(oid) AS definition, convalidated
     FROM pg_constraint WHERE connamespace::regnamespace::text NOT LIKE 'pg_%'
       AND conrelid::regclass::text <> 'signalbox_backups' ORDER BY 1, 2`,
  );
  return [policies, tables, sequences, constraints];
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe('a platform that was backed up', () => {
  let [target, source, copy, folder]: [HttpTarget?, Platform?, Platform?, string?] = [];
  const the = <T>(value: T | undefined): T => value as T;
  let company: CallingCompany;
  let agentId: number;
  const taskIds: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signalbox-backup-'));
    target = await startHttpTarget();
    source = await Platform.start({ services: RUNNING, env: { EGRESS_ALLOW: '127.0.0.1/32' } });
    company = await CallingCompany.make(source);
    await company.call(target);
  }, 240_000);
  afterAll(async () => {
    await source?.stop();
    await copy?.stop();
    await target?.close();
    await rm(the(folder), { recursive: true, force: true });
  }, 60_000);

  it('is backed up while it runs, into a bucket', async () => {
    const { servers } = the(source);
    const bucket = await startObjectServer();
    try {
      const env = { BACKUP_URL: `${bucket.urlWith()}`.replace('?', '/nightly?') };
      const taken = await succeeding(servers, ['backup'], env);
      expect(await succeeding(servers, ['verify'], env)).toBe(taken);
      const { objects, keys } = JSON.parse(taken) as { objects: number; keys: Record<string, string> };
      expect(objects).toBeGreaterThan(0);
      expect(keys.MASTER_KEY).toMatch(/^[0-9a-f]{16}$/);
      const again = await admin(servers, ['backup'], env);
      expect(again).toMatchObject({ code: 1, errors: expect.stringContaining('there is a backup already') });
      const { name } = JSON.parse(await succeeding(servers, ['backups', '--once'], env)) as { name: string };
      expect(name).toMatch(/^nightly-/);
      const nightly = await succeeding(servers, ['verify'], { BACKUP_URL: env.BACKUP_URL.replace('?', `/${name}?`) });
      expect(JSON.parse(nightly)).toMatchObject({ objects, keys });
    } finally {
      await bucket.stop();
    }
  }, 120_000);

  it('is made anew in an empty server with an empty bus: every row, right, id and object', async () => {
    const before = the(source);
    // What is written now has reached no consumer: its events and its work are rows of the outbox and of work alone.
    await before.service('accounts').kill('SIGKILL');
    const application = await company.send('POST /applications', { application_name: 'Written last' });
    ({ id: agentId } = await company.send('POST /agents', {
      application_id: application.id,
      agent_name: 'Last',
      ...ECHO,
    }));
    for (let n = 0; n < 5; n += 1)
      taskIds.push((await company.send(`POST /agents/${agentId}/invoke`, { message: 'hello', wait: false })).task_id);
    await Promise.all([...before.processes.values()].map((process) => process.kill('SIGKILL')));
    await succeeding(before.servers, ['backup', '--to', `${folder}/last`]);

    const servers = await startServers();
    const owner = { DATABASE_URL: await plainOwner(servers) };
    await succeeding(servers, ['restore', '--from', `${folder}/last`], owner);
    await succeeding(servers, ['backup', '--to', `${folder}/by-owner`], owner);
    copy = await Platform.start({ services: [], servers });
    const [expected, found] = [await contents(before), await contents(copy)];
    expect(Object.values(expected).filter((each) => !each.startsWith('0 ')).length).toBeGreaterThan(40);
    expect(found).toEqual(expected);
    expect(await guards(copy)).toEqual(await guards(before));
    const objectsOf = async (dir: string) =>
      (await filesBelow(join(dir, 'objects')))
        .map((path) => path.slice(dir.length))
        .filter((path) => !path.includes('/0/'))
        .sort();
    expect(await objectsOf(servers.dir)).toEqual(await objectsOf(before.servers.dir));
    expect(await admin(servers, ['restore', '--from', `${folder}/last`])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('into an empty database only'),
    });
  }, 240_000);

  it('serves reads and calls there, completes what was accepted, and its events arrive', async () => {
    await the(source).stop();
    source = undefined;
    const { servers } = the(copy);
    await the(copy).connection.close();
    await the(copy).sql.end();
    copy = await Platform.start({ services: RUNNING, servers, env: { EGRESS_ALLOW: '127.0.0.1/32' } });
    const there = company.on(copy);
    const requests = await there.send('GET /requests?limit=10');
    expect(requests.length).toBeGreaterThan(0);
    // The payload of this request is an object.
    const request = await there.send(`GET /requests/${requests.at(-1).request_id}`);
    expect(JSON.stringify(request)).toContain('private private');
    for (const id of taskIds)
      await eventually(
        'an accepted task is completed',
        async () => {
          const { status } = await there.send(`GET /agents/tasks/${id}`);
          return status === 'COMPLETED';
        },
        90_000,
      );
    const answer = await there.send(`POST /agents/${agentId}/invoke`, { message: 'hello again', wait: true });
    expect(JSON.stringify(answer)).toContain('hello again');
    const { sql } = copy;
    await eventually(
      'the write before the loss is in the audit log',
      async () => {
        const { rowCount } = await sql.query(
          `SELECT 1 FROM accounts.audit_log WHERE company_id = $1 AND resource_type = 'agent' AND resource_id = $2`,
          [company.id, String(agentId)],
        );
        return rowCount === 1;
      },
      90_000,
    );
  }, 240_000);

  it('is not restored with another master key, from a damaged backup or from an incomplete one', async () => {
    const servers = await startServers();
    try {
      // The database is made first, since it is missing.
      const DATABASE_URL = new URL('/missing', servers.postgres.url).href;
      const env = { DATABASE_URL, MASTER_KEY: 'another '.repeat(5) };
      const other = await admin(servers, ['restore', '--from', `${folder}/last`], env);
      expect(other).toMatchObject({ code: 1, errors: expect.stringContaining('has the fingerprint') });
      const file = (await filesBelow(`${folder}/last/postgres`)).find((path) => path.includes('agents.tasks.'));
      const bytes = await readFile(the(file));
      bytes[bytes.length - 12] = (bytes[bytes.length - 12] ?? 0) ^ 1;
      await writeFile(the(file), bytes);
      for (const command of ['verify', 'restore']) {
        const damaged = await admin(servers, [command, '--from', `${folder}/last`]);
        expect(damaged).toMatchObject({
          code: 1,
          errors: expect.stringContaining('agents.tasks.000001.gz is damaged'),
        });
      }
      await rm(`${folder}/last/manifest.json`);
      const incomplete = await admin(servers, ['verify', '--from', `${folder}/last`]);
      expect(incomplete).toMatchObject({ code: 1, errors: expect.stringContaining('no complete backup') });
    } finally {
      await servers.stop();
    }
  }, 120_000);
});
