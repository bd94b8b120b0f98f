import { TryLater } from '@signalbox/bus';
import { ApiError, StatementTimeout } from '@signalbox/contracts';
import { type Job, jobsOldest, scrape, workOutcomes, type WorkStore } from '@signalbox/platform';
import { eventually } from '@signalbox/testing';
import { add, allDone, away, loop, nudged, open, rows, separate, sql, withoutPolls } from './fixture.js';

describe('a work loop', () => {
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
  });

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
    const counted = (await workOutcomes.get()).values.filter(({ labels }) => labels.kind === 'deadly');
    expect(counted).toMatchObject([{ labels: { outcome: 'exhausted' }, value: 1 }]);
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

  it('stores what ended together with a job that asks to be tried in a hundred years', async () => {
    const century = 3_153_600_000_000;
    let tries = 0;
    const run = ({ ref }: Job): Promise<void> => {
      if (ref === 'later') return Promise.reject(new TryLater(century));
      return tries++ === 0 ? Promise.reject(new TryLater(0)) : Promise.resolve();
    };
    loop({ kind: 'far', run });
    await add('far', 'later', 'soon');
    await eventually('the other one is done', async () =>
      (await rows('far')).some(({ ref, done_at }) => ref === 'soon' && done_at !== null),
    );
    expect((await rows('far'))[0]).toMatchObject({ ref: 'later', attempt: 0, lease_owner: null, due: false });
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
    // The outcome has half of it to be stored before the other loop may take the job over.
    const leaseMs = 3000;
    const attempts: number[] = [];
    let isAway = false;
    const store = separate();
    const flaky: WorkStore = {
      ...store,
      claim: (claim) => (isAway ? away() : store.claim(claim)),
      mayClaim: (kind) => (isAway ? away() : store.mayClaim(kind)),
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
    for (let at = 0; at < 2; at++) loop({ kind: 'unlucky', leaseMs, run }, flaky);
    await add('unlucky', 'one');
    await allDone('unlucky');
    expect(attempts).toEqual([1, 1, 1, 1]);
  });

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
});
