import { TryLater, type WorkKind } from '@signalbox/bus';
import { FenceLost, type Job, type WorkStore } from '@signalbox/platform';
import { eventually } from '@signalbox/testing';
import { randomUUID } from 'node:crypto';
import {
  add,
  allDone,
  deadlocks,
  HELD_MS,
  loop,
  open,
  pause,
  rows,
  separate,
  sql,
  withoutPolls,
} from './work/fixture.js';
import './work/failures.js';

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

  it('claims after a poll only kinds that have open jobs, or jobs of a lost worker', async () => {
    const kinds = ['polled-open', 'polled-expired', 'polled-idle'];
    const claims = new Map<string, number>();
    const ran: string[] = [];
    const counting = Object.assign(Object.create(open.work) as WorkStore, {
      claim: (claim: Parameters<WorkStore['claim']>[0]) => {
        claims.set(claim.kind, (claims.get(claim.kind) ?? 0) + 1);
        return open.work.claim(claim);
      },
    });
    const run = ({ ref }: Job): Promise<void> => Promise.resolve(void ran.push(ref));
    for (const kind of kinds) loop({ kind, run }, counting);
    await eventually('all have looked once', () => claims.size === 3);
    // Added by nobody who could tell the loops.
    await sql.query(
      `INSERT INTO accounts.work (company_id, kind, ref, due_at, lease_owner, fence, attempt)
       VALUES (1, 'polled-open', 'open', now(), NULL, 0, 0),
         (1, 'polled-expired', 'expired', now(), gen_random_uuid(), 1, 1)`,
    );
    await eventually('both have run', () => ran.length === 2);
    expect(claims.get('polled-open')).toBeGreaterThan(1);
    expect(claims.get('polled-expired')).toBeGreaterThan(1);
    expect(claims.get('polled-idle')).toBe(1);
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
      await pause(5 * HELD_MS);
    };
    loop({ kind: 'long', run, leaseMs: HELD_MS });
    loop({ kind: 'long', run, leaseMs: HELD_MS });
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
        await pause(3 * HELD_MS);
        throw new TryLater(0);
      };
    const first = loop({ kind: 'yielding', leaseMs: HELD_MS, run: run('first') });
    await add('yielding', 'one');
    await eventually('it runs', () => attempts.length === 1);
    loop({ kind: 'yielding', leaseMs: HELD_MS, run: run('second') }, separate());
    await first.stop(20 * HELD_MS);
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

  it('runs the single job of a company next to 100,000 due ones of another, of which none has to end', async () => {
    await sql.query(
      `INSERT INTO accounts.work (company_id, kind, ref) SELECT 1, 'backlog', 'job ' || n FROM generate_series(1, 100000) n`,
    );
    let others = 0;
    let most = 0;
    let running = 0;
    let begin!: () => void;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    loop({
      kind: 'backlog',
      concurrency: 8,
      run: async ({ companyId }) => {
        if (companyId === 2) return begin();
        most = Math.max(most, ++running);
        // A job that had to wait for one of these slots would never begin.
        if (++others <= 6) await begun;
        else await pause(5);
        running--;
      },
    });
    await eventually('the first company works', () => others >= 6);
    await open.db.withCompany({ companyId: 2 }, (tx) => Promise.resolve(tx.addWork('backlog', 'single')));
    await begun;
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
