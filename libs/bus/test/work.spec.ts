import { type BusConnection, TryLater, WorkLoop, type WorkKind } from '@signalbox/bus';
import { ApiError, StatementTimeout } from '@signalbox/contracts';
import { createLogger, FenceLost, type Job, jobsOldest, scrape, type WorkStore } from '@signalbox/platform';
import { eventually, openDatabase, type OpenDatabase, startServers, type TestServers } from '@signalbox/testing';
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { connectTo } from './widgets.js';

const { jest } = import.meta;

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
/** Waits until a job is postponed beyond the next seconds, and makes it due. */
async function nudged(kind: string, reached: () => boolean): Promise<void> {
  await eventually('the attempt', reached);
  const far = `kind = $1 AND lease_owner IS NULL AND due_at > now() + interval '5 seconds'`;
  await eventually('the pause after it', async () => {
    const { rowCount } = await sql.query(`UPDATE accounts.work SET due_at = now() WHERE ${far}`, [kind]);
    return rowCount === 1;
  });
}
const deadlocks = () => sql.query('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()');
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function loop(work: Partial<WorkKind> & Pick<WorkKind, 'kind' | 'run'>, store: WorkStore = open.work): WorkLoop {
  const made = new WorkLoop(store, connection, logger, { concurrency: 4, exhausted: () => Promise.resolve(), ...work });
  loops.push(made);
  made.start();
  return made;
}

/** Starts loops that never poll: each claim follows from a job that was added, has ended or is due again. */
function withoutPolls(start: () => void): void {
  jest.useFakeTimers({
    doNotFake: ['Date', 'performance', 'nextTick', 'setImmediate', 'setTimeout', 'clearTimeout'],
  });
  start();
  jest.useRealTimers();
}

/** The store, without the notifications that transactions of this process send to its loops. */
const separate = (): WorkStore => ({
  claim: (claim) => open.work.claim(claim),
  heartbeat: (...args) => open.work.heartbeat(...args),
  returnUnreceived: (claims) => open.work.returnUnreceived(claims),
  complete: (jobs) => open.work.complete(jobs),
  postpone: (...args) => open.work.postpone(...args),
  waitingKinds: () => open.work.waitingKinds(),
  offeredKinds: () => open.work.offeredKinds(),
  onAdded: () => undefined,
  offer: () => undefined,
});
const away = (): Promise<never> => Promise.reject(new ApiError('unavailable', 'the database is down'));

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
    withoutPolls(() => {
      for (let at = 0; at < 3; at++) loop({ kind: 'shared', run });
    });
    await add('shared', ...refs);
    await allDone('shared');
    expect(collisions).toBe(0);
    expect([...runs.keys()].sort()).toEqual([...refs].sort());
    expect([...runs.values()].every((count) => count === 1)).toBe(true);
  });

  it('starts a fresh job on its commit, not at the next poll', async () => {
    const started: string[] = [];
    let claims = 0;
    const store = separate();
    const counted: WorkStore = {
      ...store,
      claim: (claim) => store.claim(claim).finally(() => claims++),
      onAdded: (wake) => open.work.onAdded(wake),
      offer: (...args) => open.work.offer(...args),
    };
    loop({ kind: 'quick', run: ({ ref }) => Promise.resolve(void started.push(ref)) }, counted);
    await eventually('the first claim found nothing', () => claims > 0);
    await add('quick', 'one');
    expect(started).toEqual(['one']);
  });

  it('takes over a job whose holder went silent, and refuses later writes of that holder', async () => {
    const attempts: number[] = [];
    let stale: unknown;
    // A store whose heartbeats are lost, as those of a frozen process are.
    const deaf = {
      ...separate(),
      heartbeat: (jobs: readonly Job[]) => Promise.resolve(new Set(jobs.map(({ id }) => id))),
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

  it('holds a job for as long as it runs, far beyond one lease', async () => {
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

  it('releases running jobs on shutdown without counting the attempt', async () => {
    let began = 0;
    const stopping = loop({
      kind: 'released',
      run: async (_job, signal) => {
        began++;
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
      },
    });
    await add('released', 'one', 'two');
    await eventually('both run', () => began === 2);
    await stopping.stop(50);
    for (const row of await rows('released'))
      expect(row).toMatchObject({ attempt: 0, done_at: null, lease_owner: null, due: true });
    const attempts: number[] = [];
    loop({ kind: 'released', run: (job) => Promise.resolve(void attempts.push(job.attempt)) });
    await allDone('released');
    expect(attempts).toEqual([1, 1]);
  });

  it('waits on shutdown for jobs that end in time', async () => {
    const stopping = loop({ kind: 'ending', run: () => pause(200) });
    await add('ending', 'one');
    await eventually('it runs', async () => (await rows('ending'))[0]?.lease_owner);
    await stopping.stop(5000);
    expect((await rows('ending'))[0]?.done_at).not.toBeNull();
  });

  it('makes five attempts, then gives up with the reason', async () => {
    const attempts: number[] = [];
    const given: [number, unknown][] = [];
    loop({
      kind: 'hopeless',
      backoffMs: [10, 10, 10, 10],
      run: (job) => {
        attempts.push(job.attempt);
        return Promise.reject(new Error('the job fails'));
      },
      exhausted: (job, cause) => Promise.resolve(void given.push([job.attempt, cause])),
    });
    await add('hopeless', 'one');
    await allDone('hopeless');
    expect(attempts).toEqual([1, 2, 3, 4, 5]);
    expect(given).toEqual([[5, new Error('the job fails')]]);
  }, 20_000);

  it('gives up a job that crashed five workers', async () => {
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

  it('postpones a job that asks for it until it is due, without counting', async () => {
    const attempts: number[] = [];
    const run = (job: Job): Promise<void> => {
      attempts.push(job.attempt);
      return attempts.length < 3 ? Promise.reject(new TryLater(20)) : Promise.resolve();
    };
    withoutPolls(() => loop({ kind: 'later', run }));
    await add('later', 'one');
    await allDone('later');
    expect(attempts).toEqual([1, 1, 1]);
  });

  it('performs a job once although its outcome cannot be stored for far longer than its lease', async () => {
    // Long enough that a busy machine does not hold up a heartbeat for as long.
    const leaseMs = 2000;
    let runs = 0;
    let storableFrom = Infinity;
    const store = separate();
    const failing: WorkStore = {
      ...store,
      complete: (jobs) => (performance.now() < storableFrom ? away() : store.complete(jobs)),
    };
    const run = (): Promise<void> => {
      storableFrom = performance.now() + 2.5 * leaseMs;
      return Promise.resolve(void runs++);
    };
    loop({ kind: 'unmarked', leaseMs, run }, failing);
    await add('unmarked', 'one');
    await eventually('it has run', () => runs > 0);
    loop({ kind: 'unmarked', leaseMs, run });
    await allDone('unmarked');
    expect(performance.now()).toBeGreaterThan(storableFrom);
    expect([runs, (await rows('unmarked'))[0]?.attempt]).toEqual([1, 1]);
  });

  it('counts no attempt that met an outage, not even when the outage outlives the lease', async () => {
    const attempts: number[] = [];
    let isAway = false;
    const store = separate();
    const flaky: WorkStore = {
      ...store,
      claim: (claim) => (isAway ? away() : store.claim(claim)),
      heartbeat: (...args) => (isAway ? away() : store.heartbeat(...args)),
      complete: (jobs) => (isAway ? away() : store.complete(jobs)),
      postpone: (...args) => (isAway ? away() : store.postpone(...args)),
    };
    const leaseOver = () =>
      eventually('the lease is over', async () => (await rows('unlucky')).every(({ due }) => due));
    const run = async ({ attempt }: Job): Promise<void> => {
      attempts.push(attempt);
      if (attempts.length > 3) return;
      isAway = true;
      await leaseOver();
      isAway = false;
      // Two errors of the same outage: the error of a call, and a statement that took too long.
      throw attempts.length % 2
        ? new ApiError('unavailable', 'it is down')
        : new ApiError('timeout', 'it took too long');
    };
    for (let at = 0; at < 2; at++) loop({ kind: 'unlucky', leaseMs: 300, run }, flaky);
    await add('unlucky', 'one');
    await allDone('unlucky');
    expect(attempts).toEqual([1, 1, 1, 1]);
  }, 40_000);

  describe('a statement that takes too long at each attempt', () => {
    const slowly = () =>
      open.db.withCompany({ companyId: 1 }, async (tx) => {
        await tx.query(`SET LOCAL statement_timeout = '20ms'`);
        await tx.query('SELECT pg_sleep(60)');
      });

    it('ends the job after its last one, with pauses that let other work end', async () => {
      const attempts: number[] = [];
      const causes: unknown[] = [];
      const run = async ({ attempt }: Job): Promise<void> => {
        attempts.push(attempt);
        await slowly();
      };
      loop({ kind: 'costly', run, exhausted: (_job, cause) => Promise.resolve(void causes.push(cause)) });
      await add('costly', 'one');
      for (let times = 1; times <= 4; times++) await nudged('costly', () => attempts.length === times);
      await allDone('costly');
      expect(attempts).toEqual([1, 2, 3, 4, 5]);
      expect(causes).toEqual([new StatementTimeout()]);
    }, 60_000);

    it('ends none of a kind that keeps trying', async () => {
      const attempts: number[] = [];
      const run = async ({ attempt }: Job): Promise<void> => {
        attempts.push(attempt);
        if (attempts.length <= 6) await slowly();
      };
      loop({ kind: 'costly-needed', unlimitedAttempts: true, run });
      await add('costly-needed', 'one');
      for (let times = 1; times <= 6; times++) await nudged('costly-needed', () => attempts.length === times);
      await allDone('costly-needed');
      expect(attempts).toEqual([1, 2, 3, 4, 5, 6, 7]);
    }, 60_000);
  });

  it('says for how long a job has failed, whatever it waits for and whoever has it, until it succeeds', async () => {
    const hours = 3_600_000;
    let fails = true;
    let asks = false;
    let attempts = 0;
    const run = (): Promise<void> => {
      attempts++;
      if (asks) return Promise.reject(new TryLater(hours));
      return fails ? Promise.reject(new ApiError('unavailable', 'it is down')) : Promise.resolve();
    };
    const failing = async () => {
      await scrape();
      const found = (await jobsOldest.get()).values.find(({ labels }) => labels.kind === 'circling');
      return Math.round((found?.value ?? 0) / 3600);
    };
    loop({ kind: 'circling', run });
    await add('circling', 'one', 'two');
    const backdate = `UPDATE accounts.work SET failing_since = failing_since - interval '5 hours'
      WHERE ref = 'one' AND failing_since IS NOT NULL`;
    await eventually('the outage of the first is stored', async () => (await sql.query(backdate)).rowCount === 1);
    const seen = attempts;
    await eventually('they meet it again', () => attempts >= seen + 4);
    expect(await failing()).toBe(5);
    asks = true;
    await eventually('they wait for what they have asked for', async () => (await failing()) === 0);
    asks = fails = false;
    await sql.query(`UPDATE accounts.work SET due_at = now() WHERE kind = 'circling'`);
    await allDone('circling');
    expect(await failing()).toBe(0);
  });

  it('does not give up a job of a kind with unlimited attempts', async () => {
    const attempts: number[] = [];
    const given: number[] = [];
    loop({
      kind: 'needed',
      unlimitedAttempts: true,
      backoffMs: [1, 1, 1, 1],
      run: ({ attempt }) => {
        attempts.push(attempt);
        return attempts.length < 8 ? Promise.reject(new Error('not yet')) : Promise.resolve();
      },
      exhausted: ({ attempt }) => Promise.resolve(void given.push(attempt)),
    });
    await add('needed', 'one');
    for (let times = 5; times <= 7; times++) await nudged('needed', () => attempts.length === times);
    await allDone('needed');
    expect(attempts).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(given).toEqual([]);
  }, 60_000);

  it('claims nothing after the stop began, and leaves nothing leased', async () => {
    let claimed: () => void = () => undefined;
    let proceed: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => (claimed = resolve));
    const store = separate();
    const slow: WorkStore = {
      ...store,
      claim: async (claim) => {
        const given = await store.claim(claim);
        if (given.jobs.length > 0) {
          claimed();
          await new Promise<void>((resolve) => (proceed = resolve));
        }
        return given;
      },
    };
    let begun = 0;
    await add('late', 'one');
    const stopping = loop({ kind: 'late', run: () => Promise.resolve(void begun++) }, slow);
    await reached;
    const stopped = stopping.stop(5000);
    proceed();
    await stopped;
    expect(begun).toBe(0);
    expect(await rows('late')).toMatchObject([{ attempt: 0, done_at: null, lease_owner: null, due: true }]);
  });

  it('prolongs leases while it waits for its jobs to end, and lets them yield', async () => {
    const attempts: [number, string][] = [];
    const run =
      (name: string): WorkKind['run'] =>
      async ({ attempt }, _signal, stopping) => {
        attempts.push([attempt, name]);
        if (name === 'second') return;
        await new Promise((resolve) => stopping.addEventListener('abort', resolve));
        await pause(900);
        throw new TryLater(0);
      };
    const first = loop({ kind: 'yielding', leaseMs: 300, run: run('first') });
    await add('yielding', 'one');
    await eventually('it runs', () => attempts.length === 1);
    loop({ kind: 'yielding', leaseMs: 300, run: run('second') }, separate());
    await first.stop(10_000);
    await allDone('yielding');
    expect(attempts).toEqual([
      [1, 'first'],
      [1, 'second'],
    ]);
  });

  it('runs a job again when it was woken while it ran, without taking its fence', async () => {
    const fences: number[] = [];
    let proceed: () => void = () => undefined;
    const run = async (job: Job): Promise<void> => {
      fences.push(job.fence);
      if (fences.length === 1) await new Promise<void>((resolve) => (proceed = resolve));
      await open.db.withCompany({ companyId: 1 }, (tx) => tx.requireFence(job));
    };
    loop({ kind: 'woken', run });
    await add('woken', 'one');
    await eventually('it runs', () => fences.length === 1);
    await add('woken', 'one');
    await add('woken', 'one');
    proceed();
    await eventually('it ran again', () => fences.length === 2);
    await allDone('woken');
    expect(fences).toEqual([1, 2]);
  });

  it('runs the single job of a company within a second although another has 100,000 that are due', async () => {
    await sql.query(
      `INSERT INTO accounts.work (company_id, kind, ref) SELECT 1, 'backlog', 'job ' || n FROM generate_series(1, 100000) n`,
    );
    let others = 0;
    let most = 0;
    let running = 0;
    let begun = 0;
    loop({
      kind: 'backlog',
      concurrency: 8,
      run: async ({ companyId }) => {
        if (companyId === 2) return void (begun = performance.now());
        most = Math.max(most, ++running);
        // As slow as a model call: a job that had to wait for one of these slots would be late.
        if (++others <= 6) await pause(3000);
        else await pause(5);
        running--;
      },
    });
    await eventually('the first company works', () => others >= 6);
    const added = performance.now();
    await open.db.withCompany({ companyId: 2 }, (tx) => Promise.resolve(tx.addWork('backlog', 'single')));
    await eventually('it began', () => begun);
    // Some 20 ms; behind the jobs of the other company it waits for three seconds.
    expect(begun - added).toBeLessThan(2500);
    expect(most).toBe(6);
    await sql.query(`DELETE FROM accounts.work WHERE kind = 'backlog'`);
  }, 60_000);

  it('never deadlocks over the rows of two workers', async () => {
    const refs = Array.from({ length: 200 }, (_, at) => `row ${at}`);
    await add('ordered', ...refs);
    const request = { kind: 'ordered', owner: randomUUID(), leaseMs: 60_000, perCompany: 500, busy: new Map() };
    const { jobs } = await open.work.claim({ ...request, limit: 500, takeOver: false });
    const { rows: before } = await deadlocks();
    const shuffled = (): Job[] => jobs.toSorted(() => Math.random() - 0.5);
    for (let round = 0; round < 10; round++)
      await Promise.all(Array.from({ length: 2 }, () => open.work.heartbeat(shuffled(), 60_000)));
    expect((await deadlocks()).rows).toEqual(before);
    await open.work.complete(jobs);
  });
});
