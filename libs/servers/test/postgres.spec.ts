import { chmod, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { isAlive, startPostgres, type PostgresServer } from '@signalbox/servers';

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  // A broken connection rejects its query; the error event of the client needs no handling.
  client.on('error', () => undefined);
  await client.connect();
  return client
    .query<Record<string, unknown>>(text)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

describe('the Postgres server', () => {
  let home: string;
  let server: PostgresServer | null = null;
  const start = async (dataDir = join(home, 'postgres'), port?: number) =>
    (server = await startPostgres({ dataDir, port, logFile: join(home, 'postgres.log') }));

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'servers-'));
    await chmod(home, 0o711);
  });
  afterEach(async () => {
    await server?.stop('immediate');
    server = null;
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  it('is created with its own private password and refuses clients without it', async () => {
    const { url, port } = await start();
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await expect(query(`postgres://postgres:wrong@127.0.0.1:${port}/postgres`, 'SELECT 1')).rejects.toThrow(
      /password authentication failed/,
    );
    expect((await stat(join(home, 'postgres.password'))).mode & 0o777).toBe(0o600);
    expect(await query(url, "SELECT current_setting('synchronous_commit') AS it")).toEqual([{ it: 'on' }]);
  }, 60_000);

  it('has locks for statements over all partitions of a year in several sessions', async () => {
    const { url } = await start();
    const locks = `current_setting('max_locks_per_transaction')::int * current_setting('max_connections')::int`;
    const lockedByOne = 365 * 22;
    expect(await query(url, `SELECT ${locks} > ${8 * lockedByOne} AS enough`)).toEqual([{ enough: true }]);
  }, 60_000);

  it('stops without leaving a process and keeps its data', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS n');
    await first.stop('fast');
    expect(isAlive(first.pid)).toBe(false);
    const second = await start();
    expect(await query(second.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
  }, 60_000);

  it('restarts on the same port directly after its postmaster was killed under load', async () => {
    const first = await start();
    const busy = query(first.url, 'SELECT count(*) FROM generate_series(1, 1000000000)').catch(() => 'cut off');
    await new Promise((resolve) => setTimeout(resolve, 200));
    process.kill(first.pid, 'SIGKILL');
    const second = await start(undefined, first.port);
    expect(await busy).toBe('cut off');
    expect(await query(second.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
  }, 60_000);

  it('takes over from a server that a killed launcher left running', async () => {
    const orphan = await start();
    const second = await start();
    expect(isAlive(orphan.pid)).toBe(false);
    expect(await query(second.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
  }, 60_000);

  it('runs below a directory that only its owner may enter', async () => {
    const closed = join(home, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const first = await start(join(closed, 'postgres'));
    await query(first.url, 'CREATE TABLE kept AS SELECT 8 AS n');
    const second = await start(join(closed, 'postgres'));
    expect(isAlive(first.pid)).toBe(false);
    expect(await query(second.url, 'SELECT n FROM kept')).toEqual([{ n: 8 }]);
  }, 60_000);

  it('logs JSON lines and no values of failing statements', async () => {
    const { url } = await start();
    await expect(query(url, "SELECT 'canary-value'::int")).rejects.toThrow(/canary-value/);
    await expect(query(url, "INSERT INTO nowhere VALUES ('canary-row')")).rejects.toThrow(/nowhere/);
    await server?.stop();
    const lines = (await readFile(join(home, 'postgres.log'), 'utf8')).trim().split('\n');
    expect(lines.every((line) => typeof (JSON.parse(line) as { msg: unknown }).msg === 'string')).toBe(true);
    expect(lines.join('\n')).not.toContain('canary-row');
  }, 60_000);
});
