import { randomUUID } from 'node:crypto';
import { FenceLost, job, type JobKind } from '@signalbox/platform';
import { eventually } from '@signalbox/testing';
import { open, owner, sql } from './fixture.js';

describe('work', () => {
  const LEASE = 60_000;
  const claim = async (kind: string) => {
    const claimed = {
      kind,
      owner: randomUUID(),
      limit: 10,
      leaseMs: LEASE,
      perCompany: 10,
      busy: new Map(),
      takeOver: true,
    };
    return (await open.work.claim(claimed)).jobs;
  };
  const rowOf = async (ref: string) =>
    (await sql.query('SELECT * FROM accounts.work WHERE ref = $1', [ref])).rows[0] as Record<string, unknown>;
  /** Expires the lease of a job by the clock of the database. */
  const expire = (kind: string) =>
    sql.query(`UPDATE accounts.work SET due_at = now() - interval '1 second' WHERE kind = $1`, [kind]);

  it('assigns a job to one worker, and after the lease expires to another with a higher fence', async () => {
    await open.db.withCompany(owner, (tx) => Promise.resolve(tx.addWork('moved', 'moved')));
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim('moved')));
    const [old] = claims.flat();
    expect(claims.flat()).toHaveLength(1);
    await expire('moved');
    const later = await Promise.all(Array.from({ length: 8 }, () => claim('moved')));
    expect(later.flat()).toHaveLength(1);
    const taken = later.flat()[0]!;
    expect(taken).toMatchObject({ ref: 'moved', fence: old!.fence + 1, attempt: 2 });
    await expect(open.db.withCompany(owner, (tx) => tx.requireFence(old!))).rejects.toThrow(FenceLost);
    await open.db.withCompany(owner, (tx) => tx.requireFence(taken));
    await expect(open.db.withCompany({ companyId: 2 }, (tx) => tx.requireFence(taken))).rejects.toThrow(FenceLost);
    // The same check for several jobs at once.
    const held = (companyId: number, jobs: { id: number; fence: number }[]) =>
      open.db.withCompany({ companyId }, (tx) => tx.heldFences(jobs));
    expect(await held(owner.companyId, [taken, { id: taken.id + 1, fence: taken.fence }])).toEqual(new Set([taken.id]));
    expect(await held(owner.companyId, [old!])).toEqual(new Set());
    expect(await held(owner.companyId + 1, [taken])).toEqual(new Set());
    // Recorded progress counts the attempts anew.
    await open.db.withCompany(owner, (tx) => tx.progressed(taken));
    expect([taken.attempt, (await rowOf('moved'))['attempt']]).toEqual([1, 1]);
    // The same check together with the lock of a row.
    const lock = (job: typeof taken, ref: string) =>
      open.db.withCompany(owner, (tx) =>
        tx.lockFenced<{ id: number }>(job, 'SELECT id FROM accounts.work WHERE ref = $1 FOR UPDATE', [ref]),
      );
    await expect(lock(old!, 'moved')).rejects.toThrow(FenceLost);
    expect(await lock(taken, 'moved')).toEqual({ id: taken.id });
    expect(await lock(taken, 'missing')).toBeNull();
    // The old holder can neither complete nor postpone it nor prolong its lease.
    await open.work.complete([old!]);
    await open.work.postpone([{ job: old!, delayMs: 0 }], false);
    expect(await open.work.heartbeat([old!], 1)).toEqual(new Set());
    expect(await claim('moved')).toEqual([]);
    expect(await rowOf('moved')).toMatchObject({ done_at: null, fence: taken.fence });
    await open.work.complete([taken]);
    expect((await rowOf('moved')).done_at).not.toBeNull();
    await expect(open.db.withCompany(owner, (tx) => tx.requireFence(taken))).rejects.toThrow(FenceLost);
  });

  it('keeps a job claimed while its lease is prolonged', async () => {
    await open.db.withCompany(owner, (tx) => Promise.resolve(tx.addWork('held', 'held')));
    const [job] = await claim('held');
    for (let at = 0; at < 5; at++) {
      await expire('held');
      expect(await open.work.heartbeat([job!], LEASE)).toEqual(new Set([job!.id]));
      expect(await claim('held')).toEqual([]);
    }
    await expire('held');
    expect(await claim('held')).toMatchObject([{ fence: job!.fence + 1 }]);
  });

  it('counts an attempt unless it is exempt, and is due again when it is added again', async () => {
    await open.db.withCompany(owner, (tx) => Promise.resolve(tx.addWork('again', 'again')));
    const [first] = await claim('again');
    await open.work.postpone([{ job: first!, delayMs: 0 }], true);
    const [second] = await claim('again');
    expect(second?.attempt).toBe(1);
    await open.work.postpone([{ job: second!, delayMs: 0 }], false);
    const [third] = await claim('again');
    expect(third?.attempt).toBe(2);
    await open.db.withCompany(owner, (tx) => Promise.resolve(tx.addWork('again', 'again')));
    // A running job keeps its fence and is due again after it ends.
    await open.db.withCompany(owner, (tx) => tx.requireFence(third!));
    expect(await claim('again')).toEqual([]);
    expect(await open.work.complete([third!])).toBe(true);
    const [fourth] = await claim('again');
    expect(fourth).toMatchObject({ attempt: 1, fence: third!.fence + 1 });
    expect(await open.work.complete([fourth!])).toBe(false);
    expect(await claim('again')).toEqual([]);
  });

  it('is not claimed after its lease expired by a worker that excludes expired leases', async () => {
    await open.db.withCompany(owner, (tx) => Promise.resolve(tx.addWork('judged', 'silent')));
    const request = { kind: 'judged', owner: randomUUID(), limit: 10, leaseMs: 1, perCompany: 10, busy: new Map() };
    const [job] = (await open.work.claim({ ...request, takeOver: false })).jobs;
    await sql.query(`UPDATE accounts.work SET due_at = now() - interval '1 hour' WHERE kind = 'judged'`);
    expect((await open.work.claim({ ...request, takeOver: false })).jobs).toEqual([]);
    // Its own worker may still complete it.
    expect(await open.work.heartbeat([job!], 60_000)).toEqual(new Set([job!.id]));
    await sql.query(`UPDATE accounts.work SET due_at = now() - interval '1 hour' WHERE kind = 'judged'`);
    expect((await open.work.claim({ ...request, takeOver: true })).jobs).toMatchObject([{ ref: 'silent', attempt: 2 }]);
  });

  it('is released once when the same end is stored repeatedly', async () => {
    await open.db.withCompany(owner, (tx) => Promise.resolve(tx.addWork('repeated', 'repeated')));
    const [job] = await claim('repeated');
    for (let time = 0; time < 3; time++) await open.work.postpone([{ job: job!, delayMs: 0 }], true);
    expect(await rowOf('repeated')).toMatchObject({ attempt: 0 });
    const [fourth] = await claim('repeated');
    await open.work.complete([fourth!]);
  });

  it('of a kind that is due soonest does not move when it is added again while it waits', async () => {
    const dueIn = async (jobs: JobKind<object>, ...delays: number[]): Promise<number> => {
      for (const delay of delays) await open.db.withCompany(owner, (tx) => Promise.resolve(tx.addJob(jobs, {}, delay)));
      const { rows } = await sql.query<{ minutes: number }>(
        `SELECT round(extract(epoch FROM due_at - now()) / 60)::int AS minutes FROM accounts.work WHERE kind = $1`,
        [jobs.name],
      );
      return rows[0]?.minutes ?? 0;
    };
    const HOUR_MS = 3_600_000;
    expect(await dueIn(job('soonest', {}, { soonest: true }), HOUR_MS, 2 * HOUR_MS)).toBe(60);
    expect(await dueIn(job('soonest', {}, { soonest: true }), HOUR_MS / 2)).toBe(30);
    expect(await dueIn(job('latest', {}), HOUR_MS, 2 * HOUR_MS)).toBe(120);
    await sql.query(`UPDATE accounts.work SET done_at = now() WHERE kind = 'soonest'`);
    expect(await dueIn(job('soonest', {}, { soonest: true }), 2 * HOUR_MS)).toBe(120);
  });

  it('is not due before its delay', async () => {
    await open.db.withCompany(owner, (tx) => Promise.resolve(tx.addWork('later', 'later', 300)));
    expect(await claim('later')).toEqual([]);
    await eventually('it is due', async () => (await claim('later'))[0]);
  });
});
