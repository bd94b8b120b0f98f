import { appendFile, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import { freePort, isAlive, serviceKey, startPostgres } from '@signalbox/servers';
import { copyEmptyCluster } from '@signalbox/testing';
import { FixturePlatform } from './fixture-platform.js';

async function ask(url: string, subject: string, question: unknown): Promise<Record<string, unknown>> {
  // The client takes no login from a URL.
  const { host, username: user, password: pass } = new URL(url);
  const connection = await connect({ servers: host, user, pass, inboxPrefix: `_INBOX.${user}` });
  try {
    return (await connection.request(subject, JSON.stringify(question))).json<Record<string, unknown>>();
  } finally {
    await connection.close();
  }
}

async function count(url: string, table: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`);
  await client.end();
  return Number(rows[0]?.n);
}

let platform: FixturePlatform;
const createPlatform = async () => {
  platform = await FixturePlatform.create();
};
const removePlatform = () => platform.remove();

const environment = async (name: string) =>
  JSON.parse(await platform.read(name, 'environment.json')) as Record<string, string>;
/** Connects to the bus as the service `accounts`, which may create and read the event stream. */
const askBus = async (subject: string, question: unknown = {}) =>
  ask((await environment('accounts')).NATS_URL!, `$JS.API.STREAM.${subject}.EVENTS`, question);

const again = async (name: string, before: number | null) => {
  await platform.until(async () => {
    const pid = await platform.pid(name);
    return pid !== null && pid !== before && isAlive(pid);
  });
};

const NAMES = ['gateway', 'accounts', 'agents', 'nats', 'postgres', 'launcher'];

/** Each test continues with the platform as the one before has left it. */
describe('a platform, from its first start until its directory is deleted,', () => {
  beforeAll(createPlatform);
  afterAll(removePlatform, 40_000);

  it('starts without a nats-server on the PATH', async () => {
    await platform.start({ SECRET_OF_THE_SHELL: 'x', LOG_LEVEL: 'warn' });
    for (const name of NAMES) expect(isAlive((await platform.pid(name)) ?? -1)).toBe(true);
    expect(platform.output).toContain(`Signalbox is ready at http://127.0.0.1:${platform.port}/api/v1\n`);
    const endpoints = await platform.endpoints();
    expect(endpoints.base_url).toBe(`http://127.0.0.1:${platform.port}/api/v1`);
    expect(await count(endpoints.database_url, 'public.signalbox_migrated')).toBe(1);
    for (const file of ['master-key', 'run/endpoints.json', 'run/nats.conf']) {
      expect((await stat(join(platform.dataDir, file))).mode & 0o777).toBe(0o600);
    }
  }, 60_000);

  it('gives each service its own logins, a grace period, and nothing that belongs to another', async () => {
    const gateway = await environment('gateway');
    const agents = await environment('agents');
    expect(Object.keys(gateway)).not.toContain('DATABASE_URL');
    expect(Object.keys(gateway)).not.toContain('SECRET_OF_THE_SHELL');
    const masterKey = (await readFile(join(platform.dataDir, 'master-key'), 'utf8')).trim();
    expect(JSON.stringify([gateway, agents])).not.toContain(masterKey);
    expect(Object.keys(agents)).not.toContain('KEY_PEPPER');
    expect(gateway.KEY_PEPPER).toBe(serviceKey(masterKey, 'KEY_PEPPER'));
    expect(agents.LOG_LEVEL).toBe('warn');
    expect(agents.DATABASE_URL).toMatch(/^postgres:\/\/svc_agents:[0-9a-f]{64}@127\.0\.0\.1:\d+\/signalbox$/);
    expect(agents.WORKER_DATABASE_URL).toMatch(/^postgres:\/\/svc_agents_worker:[0-9a-f]{64}@/);
    expect(await askBus('INFO')).toHaveProperty('error.err_code', 10059);
    // The calls in flight of a service have a grace period within the 25 s of a stop.
    expect([agents.SHUTDOWN_GRACE_SECONDS, gateway.SHUTDOWN_GRACE_SECONDS]).toEqual(['8', '15']);
  }, 60_000);

  it('refuses a second start on the same DATA_DIR and leaves the first running', async () => {
    const second = platform.launch();
    const code = await new Promise((resolve) => second.once('exit', resolve));
    expect(code).toBe(1);
    expect(platform.output).toContain(
      `already runs on ${platform.dataDir} (process ${await platform.pid('launcher')})`,
    );
    expect(isAlive((await platform.pid('postgres')) ?? -1)).toBe(true);
  }, 60_000);

  it('restarts a service, Postgres and the bus when they are killed, with the same address and data', async () => {
    const { database_url: databaseUrl } = await platform.endpoints();
    await askBus('CREATE', { name: 'EVENTS', subjects: ['events.>'], storage: 'file' });
    for (const name of ['agents', 'postgres', 'nats']) {
      const before = await platform.pid(name);
      process.kill(before!, 'SIGKILL');
      await again(name, before);
    }
    expect(await askBus('INFO')).toHaveProperty('config.name', 'EVENTS');
    expect(await count(databaseUrl, 'public.signalbox_migrated')).toBe(1);
    expect(platform.output).toContain('agents ended (SIGKILL), restarting it');
  }, 60_000);

  it('leaves no process after SIGTERM', async () => {
    expect(await platform.signal('SIGTERM')).toBe(0);
    expect(platform.processes()).toEqual([]);
    await expect(platform.endpoints()).rejects.toThrow(/ENOENT/);
    for (const name of NAMES) expect(await platform.pid(name)).toBeNull();
  }, 60_000);

  it('migrates at the first start and later only when a migration changed', async () => {
    const migrations = async () => (await platform.read('agents', 'migrations.txt')).trim().split('\n').length;
    expect(await migrations()).toBe(1);
    await platform.start();
    await platform.signal('SIGTERM');
    expect(await migrations()).toBe(1);
    await appendFile(platform.file('agents', 'migrations/index.js'), '// Another migration.\n');
    await platform.start();
    expect(await migrations()).toBe(2);
    // One process loads the libraries for all services.
    expect(await platform.read('accounts', 'migrations.txt')).toBe(await platform.read('agents', 'migrations.txt'));
    // Logins travel over the channel of the process, not in its environment.
    expect(await platform.read('agents', 'migrations.txt')).not.toContain('postgres://');
    expect(await count((await platform.endpoints()).database_url, 'agents.work')).toBe(0);
  }, 60_000);

  it('loses nothing when the store of the bus is deleted between two starts', async () => {
    expect(await askBus('INFO')).toHaveProperty('config.name', 'EVENTS');
    await platform.signal('SIGTERM');
    await rm(join(platform.dataDir, 'nats'), { recursive: true });
    await platform.start();
    expect(await askBus('INFO')).toHaveProperty('error.err_code', 10059);
  }, 60_000);

  it('starts again after it was killed, and ends the processes it had left running', async () => {
    const left = platform.processes();
    await platform.signal('SIGKILL');
    await platform.start();
    expect(left.filter(isAlive)).toEqual([]);
    expect(platform.output).toContain('Ended 3 processes of a killed launcher');
    expect(await platform.signal('SIGINT')).toBe(0);
    expect(platform.processes()).toEqual([]);
  }, 60_000);

  it('ends with one message when its data directory is deleted under it, and leaves no process', async () => {
    await platform.start();
    const ended = platform.exited();
    await rm(platform.dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    expect(await ended).toBe(1);
    expect(platform.output.match(/The data directory \S+ was deleted: Signalbox ends/g)).toHaveLength(1);
    expect(platform.output).not.toContain('could not be started');
    expect(platform.processes()).toEqual([]);
  }, 60_000);
});

/** Each of these starts ends before the next one, on the same directory. */
describe('a start that is hindered', () => {
  beforeAll(createPlatform);
  afterAll(removePlatform, 40_000);

  it('reports that its port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(platform.port, '127.0.0.1', resolve));
    const child = platform.launch();
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(1);
    expect(platform.output).toContain(`another program listens on 127.0.0.1:${platform.port}`);
    await new Promise((resolve) => other.close(resolve));
  }, 60_000);

  it('reports the services that are not compiled before it starts anything', async () => {
    await rename(platform.file('agents', 'main.js'), platform.file('agents', 'elsewhere.js'));
    const child = platform.launch();
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(1);
    expect(platform.output).toContain('not compiled: agents (npm run build compiles everything)');
    expect(platform.output).not.toContain('Starting');
    await rename(platform.file('agents', 'elsewhere.js'), platform.file('agents', 'main.js'));
  }, 60_000);

  it('stops cleanly on a signal in the middle of a start', async () => {
    const child = platform.launch();
    await platform.until(() => platform.output.includes('Starting the database'));
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(platform.output).not.toContain('is ready');
    expect(platform.processes()).toEqual([]);
  }, 60_000);

  it('stops at once on a signal while it waits for a given NATS', async () => {
    const child = platform.launch({ NATS_URL: `nats://127.0.0.1:${await freePort()}` });
    await platform.until(() => /NATS at \S+ is not available yet/.test(platform.output));
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(platform.processes()).toEqual([]);
  }, 60_000);

  it('reports why a service does not start, and stops everything again', async () => {
    await writeFile(platform.file('agents', 'broken'), '');
    const child = platform.launch();
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(1);
    expect(platform.output).toMatch(/agents ended before it was ready; its log .* ends with\nthis service is broken/);
    expect(platform.processes()).toEqual([]);
    await rm(platform.file('agents', 'broken'));
  }, 60_000);

  it('waits for a Postgres of the operator that is not up yet, reports it, and then starts', async () => {
    const port = await freePort();
    const place = { dataDir: join(platform.home, 'given'), logFile: join(platform.home, 'given.log'), port };
    await copyEmptyCluster(place.dataDir);
    const { url, stop } = await startPostgres(place);
    await stop();
    const started = platform.start({ DATABASE_URL: url });
    await platform.until(() => platform.output.includes(`Postgres at 127.0.0.1:${port} is not available yet (`));
    const given = await startPostgres(place);
    await started;
    expect(platform.output).toContain(`Postgres at 127.0.0.1:${port} is available`);
    expect(await platform.signal('SIGTERM')).toBe(0);
    await given.stop();
  }, 90_000);

  it('reports which migration failed and why, and stops everything again', async () => {
    const failing = "class Failing1700000000000 { async up(runner) { await runner.query('SELECT 1 / 0'); } }";
    const schema = "export const schema = { service: 'agents', migrations: [Failing1700000000000] };";
    await writeFile(platform.file('agents', 'migrations/index.js'), `${failing}\n${schema}`);
    const child = platform.launch();
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(1);
    expect(platform.output).toContain('the migration of agents failed: division by zero');
    expect(platform.processes()).toEqual([]);
  }, 60_000);
});
