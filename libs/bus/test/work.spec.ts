import { type BusConnection, TryLater, WorkLoop, type WorkKind } from '@signalbox/bus';
import { createLogger, type Job, type WorkStore } from '@signalbox/platform';
import { eventually, openDatabase, type OpenDatabase, startServers, type TestServers } from '@signalbox/testing';
import { FenceLost } from '@signalbox/database';
import { Pool } from 'pg';
import { connectTo } from './pens.js';

let servers: TestServers;
let open: OpenDatabase;
let sql: Pool;
let connection: BusConnection;
const logger = createLogger('tester', 'silent');
const loops: WorkLoop[] = [];

beforeAll(async () => {
  servers = await startServers({ migrated: true });
  open = await openDatabase(servers, 'accounts');
  connection = await connectTo(servers);
  sql = new Pool({ connectionString: servers.postgres.url, max: 2 });
}, 60_000);
afterEach(async () => {
  await Promise.all(loops.splice(0).map((loop) => loop.stop(0)));
});
afterAll(async () => {
  await connection.close();
  await open.close();
  await sql.end();
  await servers.stop();
});

const add = (kind: string, ...refs: string[]) =>
  open.db.withCompany({ companyId: 1 }, (tx) => Promise.resolve(refs.forEach((ref) => tx.addWork(kind, ref))));
const rows = async (kind: string) =>
  (
    await sql.query<{ ref: string; attempt: number; done_at: Date | null; lease_owner: string | null; due: boolean }>(
      'SELECT *, due_at <= now() AS due FROM accounts.work WHERE kind = $1 ORDER BY id',
      [kind],
    )
  ).rows;
const allDone = (kind: string) =>
  eventually(`all ${kind} is done`, async () => (await rows(kind)).every((row) => row.done_at !== null));
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function loop(work: Partial<WorkKind> & Pick<WorkKind, 'kind' | 'run'>, store: WorkStore = open.work): WorkLoop {
  const made = new WorkLoop(store, connection, logger, { concurrency: 4, exhausted: () => Promise.resolve(), ...work });
  loops.push(made);
  made.start();
  return made;
}

describe('a work loop', () => {
  it('shares jobs with others without ever running one twice at once', async () => {
    const now = new Set<string>();
    const runs = new Map<string, number>();
    let collisions = 0;
    const run = async ({ ref }: Job): Promise<void> => {
      if (now.has(ref)) collisions++;
      now.add(ref);
      await pause(Math.random() * 10);
      runs.set(ref, (runs.get(ref) ?? 0) + 1);
      now.delete(ref);
    };
    const refs = Array.from({ length: 200 }, (_, at) => `job ${at}`);
    for (let at = 0; at < 3; at++) loop({ kind: 'shared', run });
    await add('shared', ...refs);
    await allDone('shared');
    expect(collisions).toBe(0);
    expect([...runs.keys()].sort()).toEqual([...refs].sort());
    expect([...runs.values()].every((count) => count === 1)).toBe(true);
  });

  it('starts on a fresh job at once, not at the next poll', async () => {
    let started = 0;
    loop({ kind: 'quick', run: () => Promise.resolve(void (started = Date.now())) });
    await pause(1200);
    const added = Date.now();
    await add('quick', 'one');
    await eventually('it started', () => started);
    expect(started - added).toBeLessThan(500);
  });

  it('takes over a job whose holder went silent, and the holder can write nothing more', async () => {
    const attempts: number[] = [];
    let stale: unknown;
    // A store whose heartbeats are lost, as those of a frozen process are.
    const deaf: WorkStore = {
      claim: (...args) => open.work.claim(...args),
      heartbeat: (jobs) => Promise.resolve(new Set(jobs.map(({ id }) => id))),
      complete: (jobs) => open.work.complete(jobs),
      postpone: (...args) => open.work.postpone(...args),
      onAdded: () => undefined,
      offer: () => undefined,
    };
    const run = async (job: Job): Promise<void> => {
      attempts.push(job.attempt);
      if (job.attempt > 1) return;
      await eventually('another one took it', () => attempts.includes(2));
      stale = await open.db
        .withCompany({ companyId: 1 }, (tx) => tx.requireFence(job))
        .catch((error: unknown) => error);
    };
    loop({ kind: 'silent', run, leaseMs: 300 }, deaf);
    await add('silent', 'one');
    await eventually('the first try', () => attempts.length === 1);
    loop({ kind: 'silent', run, leaseMs: 300 });
    await eventually('the second try', () => attempts.length === 2);
    await eventually('the stale write', () => stale);
    expect(stale).toBeInstanceOf(FenceLost);
    expect(attempts).toEqual([1, 2]);
    await allDone('silent');
  });

  it('keeps a job for as long as it runs, far beyond one lease', async () => {
    let runs = 0;
    const run = async (): Promise<void> => {
      runs++;
      await pause(1500);
    };
    loop({ kind: 'long', run, leaseMs: 300 });
    loop({ kind: 'long', run, leaseMs: 300 });
    await add('long', 'one');
    await allDone('long');
    expect(runs).toBe(1);
  });

  it('hands running jobs back on shutdown without counting the try', async () => {
    let began = 0;
    const stopping = loop({
      kind: 'handed',
      run: async (_job, signal) => {
        began++;
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
      },
    });
    await add('handed', 'one', 'two');
    await eventually('both run', () => began === 2);
    await stopping.stop(50);
    for (const row of await rows('handed'))
      expect(row).toMatchObject({ attempt: 0, done_at: null, lease_owner: null, due: true });
    const attempts: number[] = [];
    loop({ kind: 'handed', run: (job) => Promise.resolve(void attempts.push(job.attempt)) });
    await allDone('handed');
    expect(attempts).toEqual([1, 1]);
  });

  it('waits on shutdown for jobs that end in time', async () => {
    const stopping = loop({ kind: 'ending', run: () => pause(200) });
    await add('ending', 'one');
    await eventually('it runs', async () => (await rows('ending'))[0]?.lease_owner);
    await stopping.stop(5000);
    expect((await rows('ending'))[0]?.done_at).not.toBeNull();
  });

  it('tries five times, then says why it gives up', async () => {
    const attempts: number[] = [];
    const given: [number, unknown][] = [];
    loop({
      kind: 'hopeless',
      backoffMs: [10, 10, 10, 10],
      run: (job) => {
        attempts.push(job.attempt);
        return Promise.reject(new Error('no luck'));
      },
      exhausted: (job, cause) => Promise.resolve(void given.push([job.attempt, cause])),
    });
    await add('hopeless', 'one');
    await allDone('hopeless');
    expect(attempts).toEqual([1, 2, 3, 4, 5]);
    expect(given).toEqual([[5, new Error('no luck')]]);
  }, 20_000);

  it('gives up on a job that took five workers with it', async () => {
    await add('deadly', 'one');
    await sql.query(`UPDATE accounts.work SET attempt = 5 WHERE kind = 'deadly'`);
    const given: number[] = [];
    let runs = 0;
    loop({
      kind: 'deadly',
      run: () => Promise.resolve(void runs++),
      exhausted: (job) => Promise.resolve(void given.push(job.attempt)),
    });
    await allDone('deadly');
    expect([runs, given]).toEqual([0, [6]]);
  });

  it('postpones a job that asks for it, without counting', async () => {
    const attempts: number[] = [];
    loop({
      kind: 'later',
      run: (job) => {
        attempts.push(job.attempt);
        return attempts.length < 3 ? Promise.reject(new TryLater(20)) : Promise.resolve();
      },
    });
    await add('later', 'one');
    await allDone('later');
    expect(attempts).toEqual([1, 1, 1]);
  });
});
