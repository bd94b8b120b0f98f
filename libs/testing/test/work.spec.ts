import 'reflect-metadata';
import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { BusConnection, WorkLoop } from '@signalbox/bus';
import { Database, DatabaseModule, migrateSchemas } from '@signalbox/database';
import { createLogger, type Job, loggerModule, WORK, type WorkStore } from '@signalbox/platform';
import { serviceCredentials } from '@signalbox/servers';
import { Client } from 'pg';
import { eventually, startServers, TEST_MASTER_KEY, type TestServers, timeScale } from '../src/index.js';

const logger = createLogger('working', 'silent');
let failedClaims = 0;
logger.warn = (...[, message]: unknown[]) => void (failedClaims += Number(message === 'work could not be claimed'));
const company = { companyId: 1 };
let servers: TestServers;
let app: INestApplicationContext;
let connection: BusConnection;
let db: Database;
let kinds = 0;

const login = (text: string, username: string, password: string): string =>
  Object.assign(new URL(text), { username, password }).href;

@Module({})
class Working {
  static with(url: string, workerUrl: string): DynamicModule {
    const database = DatabaseModule.forService({ service: 'working', entities: [], url, workerUrl });
    return { module: Working, imports: [loggerModule(logger), database] };
  }
}

beforeAll(async () => {
  servers = await startServers();
  const { role, password, workerRole, workerPassword } = serviceCredentials(TEST_MASTER_KEY, 'working');
  const url = login(servers.postgres.url, role, password);
  const workerUrl = login(servers.postgres.url, workerRole, workerPassword);
  await migrateSchemas(servers.postgres.url, [{ service: 'working', migrations: [], runtimeUrl: url, workerUrl }]);
  const { natsPassword } = serviceCredentials(TEST_MASTER_KEY, 'tester');
  connection = await BusConnection.open(login(servers.nats.url, 'tester', natsPassword), 'tester', logger);
  app = await NestFactory.createApplicationContext(Working.with(url, workerUrl), { logger: false });
  db = app.get(Database);
}, 60_000);

afterAll(async () => {
  await app.close();
  await connection.close();
  await servers.stop();
});

/** Each poll of a loop over it is a claim. */
function alwaysClaiming(): WorkStore {
  const store = app.get<WorkStore>(WORK);
  return Object.assign(Object.create(store) as WorkStore, { mayClaim: () => Promise.resolve(true) });
}

/** A loop over a separate kind, idle and after its first claim. */
async function idleLoop(
  run: (job: Job) => Promise<void>,
  { store = app.get<WorkStore>(WORK), ...options }: { leaseMs?: number; kind?: string; store?: WorkStore } = {},
) {
  const kind = options.kind ?? `kind-${++kinds}`;
  const work = { kind, concurrency: 1, run, exhausted: () => Promise.resolve(), ...options };
  const loop = new WorkLoop(store, connection, logger, work);
  loop.start();
  // A loop reserves no slot before it has seen which work is due.
  await eventually('the loop is idle', () => {
    const reserved = loop.reserve(company.companyId, 1);
    loop.take(company.companyId, [], reserved);
    return reserved === 1;
  });
  return { loop, kind };
}

const add = (kind: string, ...refs: string[]): Promise<void> =>
  db.withCompany(company, (tx) => {
    for (const ref of refs) tx.addWork(kind, ref);
    return Promise.resolve();
  });

interface Row {
  ref: string;
  leased: boolean;
  fence: number;
  attempt: number;
  done: boolean;
}

const rowsOf = (kind: string): Promise<Row[]> =>
  db.asWorker<Row>(
    `SELECT ref, lease_owner IS NOT NULL AS leased, fence, attempt, done_at IS NOT NULL AS done
     FROM working.work WHERE kind = $1 ORDER BY id`,
    [kind],
  );

describe('work that a transaction adds', () => {
  it('is leased in the same commit as far as slots are free, the rest is left due', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const seen: Job[] = [];
    const { loop, kind } = await idleLoop((job) => (seen.push(job), held));
    await add(kind, 'a', 'b');
    expect(seen).toMatchObject([{ ref: 'a', fence: 1, attempt: 1, companyId: 1 }]);
    expect(await rowsOf(kind)).toMatchObject([
      { ref: 'a', leased: true, fence: 1, attempt: 1 },
      { ref: 'b', leased: false, fence: 0, attempt: 0 },
    ]);
    release();
    await eventually('both are done', async () => (await rowsOf(kind)).every(({ done }) => done));
    expect(seen.map(({ ref }) => ref)).toEqual(['a', 'b']);
    await loop.stop();
  });

  it('is neither run nor stored when the transaction fails, and its slots are free again', async () => {
    const seen: string[] = [];
    const { loop, kind } = await idleLoop((job) => (seen.push(job.ref), Promise.resolve()));
    await expect(
      db.withCompany(company, async (tx) => {
        tx.addWork(kind, 'never');
        await tx.flush();
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await add(kind, 'next');
    expect(seen).toEqual(['next']);
    expect((await rowsOf(kind)).map(({ ref }) => ref)).toEqual(['next']);
    await loop.stop();
  });

  it('has a higher fence when it is added again', async () => {
    const fences: number[] = [];
    const { loop, kind } = await idleLoop((job) => (fences.push(job.fence), Promise.resolve()));
    for (let time = 1; time <= 3; time++) {
      await add(kind, 'again');
      await eventually('it is done', async () => (await rowsOf(kind))[0]?.done);
    }
    // A job that found no free slot has one more for its claim.
    const [first, second, third] = fences as [number, number, number];
    expect(fences).toHaveLength(3);
    expect(second).toBeGreaterThan(first);
    expect(third).toBeGreaterThan(second);
    await loop.stop();
  });

  it('is claimed by another worker with a new fence when the one that leased it is lost', async () => {
    const kind = 'lost';
    const { loop: first } = await idleLoop(() => new Promise<void>(() => undefined), { kind, leaseMs: 600_000 });
    await add(kind, 'orphan');
    // A lost worker prolongs no lease: this one has expired.
    await db.asWorker(`UPDATE working.work SET due_at = now() WHERE kind = $1`, [kind]);
    const taken: Job[] = [];
    const { loop: second } = await idleLoop((job) => (taken.push(job), Promise.resolve()), { kind, leaseMs: 300 });
    await eventually('it is done', async () => (await rowsOf(kind))[0]?.done);
    expect(taken).toMatchObject([{ ref: 'orphan', fence: 2, attempt: 2 }]);
    await second.stop();
    await first.stop(0);
  });
});

describe('work whose claim a suspended Postgres did not reply to', () => {
  it('runs once Postgres continues, not at the end of the lease, and the lost claim is no attempt', async () => {
    const taken: Job[] = [];
    const run = (job: Job) => (taken.push(job), Promise.resolve());
    const { loop, kind } = await idleLoop(run, { leaseMs: 60_000, store: alwaysClaiming() });
    const owner = new Client({ connectionString: servers.postgres.url });
    await owner.connect();
    failedClaims = 0;
    const claimers = async () => {
      const { rows } = await owner.query<{ pid: number; state: string }>(
        `SELECT pid, state FROM pg_stat_activity WHERE usename = 'svc_working_worker'`,
      );
      return rows;
    };
    // With a second one the next claim could take effect before the lost one, and its reply would be received.
    const onlyOne = async (): Promise<number | undefined> => {
      const [first, ...others] = await claimers();
      await owner.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) pid', [others.map(({ pid }) => pid)]);
      return others.length === 0 ? first?.pid : undefined;
    };
    // One suspended within a claim may have looked for jobs already, and would not see the new one.
    const suspended = async (): Promise<number | undefined> => {
      const pid = await onlyOne();
      if (pid === undefined) return undefined;
      process.kill(pid, 'SIGSTOP');
      const present = await claimers();
      if (present.length === 1 && present[0]?.state === 'idle') return pid;
      process.kill(pid, 'SIGCONT');
      return undefined;
    };
    const claimer = await eventually('the only claimer is suspended between two claims', suspended);
    await owner.query(`INSERT INTO working.work (company_id, kind, ref) VALUES ($1, $2, 'unreceived')`, [
      company.companyId,
      kind,
    ]);
    // No other connection is opened meanwhile, on which the next claim would succeed.
    process.kill(servers.postgres.pid, 'SIGSTOP');
    await eventually('the claim fails', () => failedClaims > 0);
    process.kill(claimer, 'SIGCONT');
    // No further claim is possible before the lost one has taken effect.
    await eventually('the lost claim takes effect', async () => {
      const { rowCount } = await owner.query(
        `SELECT FROM working.work WHERE kind = $1 AND lease_owner IS NOT NULL AND fence = 1`,
        [kind],
      );
      return rowCount === 1;
    });
    process.kill(servers.postgres.pid, 'SIGCONT');
    const continued = performance.now();
    await owner.end();
    await eventually('it is done', async () => (await rowsOf(kind))[0]?.done);
    expect(performance.now() - continued).toBeLessThan(15_000 * timeScale());
    expect(taken).toMatchObject([{ ref: 'unreceived', fence: 2, attempt: 1 }]);
    await loop.stop();
  }, 60_000);
});
