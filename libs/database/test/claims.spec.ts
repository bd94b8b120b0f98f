import { openDatabase, type OpenDatabase, startServers, type TestServers } from '@signalbox/testing';
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { AfterCommit } from '../src/stores/after-commit.js';
import { PgWork } from '../src/stores/work-store.js';

const COMPANIES = 20;

let servers: TestServers;
let open: OpenDatabase;
let session: Pool;
let work: PgWork;

beforeAll(async () => {
  servers = await startServers({ migrated: true });
  open = await openDatabase(servers, 'accounts');
  // One connection: its statistics are complete once it has flushed them.
  session = new Pool({ connectionString: servers.postgres.url, max: 1 });
  work = new PgWork(session, 'accounts', new AfterCommit());
}, 60_000);
afterAll(async () => {
  await session.end();
  await open.close();
  await servers.stop();
});

const claim = (kind: string, options: object = {}) =>
  work.claim({
    kind,
    owner: randomUUID(),
    limit: 100,
    leaseMs: 60_000,
    perCompany: 75,
    busy: new Map(),
    takeOver: false,
    ...options,
  });

async function rowsRead(): Promise<number> {
  await session.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await session.query<{ read: string }>(
    `SELECT seq_tup_read + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes i WHERE i.relid = t.relid) AS read
     FROM pg_stat_user_tables t WHERE relid = 'accounts.work'::regclass`,
  );
  return Number(rows[0]?.read);
}

const addToEach = (kind: string, jobs: number) =>
  session.query(
    `INSERT INTO accounts.work (company_id, kind, ref)
     SELECT c, $1, 'job ' || n FROM generate_series(1, $2) c, generate_series(1, $3) n`,
    [kind, COMPANIES, jobs],
  );

describe('a claim', () => {
  it('reads about as many rows as it takes, although the planner knows of no open job', async () => {
    await session.query('VACUUM ANALYZE accounts.work');
    await addToEach('many', 500);
    const before = await rowsRead();
    const { jobs, more } = await claim('many');
    expect({ claimed: jobs.length, more }).toEqual({ claimed: 100, more: true });
    expect((await rowsRead()) - before).toBeLessThan(600);
  });

  it('brings the companies with due jobs to the same number at once', async () => {
    await addToEach('level', 50);
    const { jobs } = await claim('level', {
      busy: new Map([
        [1, 10],
        [2, 4],
      ]),
    });
    const taken = Array.from(
      { length: COMPANIES },
      (_, at) => jobs.filter(({ companyId }) => companyId === at + 1).length,
    );
    expect(taken[0]).toBe(0);
    expect([1, 2]).toContain(taken[1]);
    expect(taken.slice(2).every((count) => count === 5 || count === 6)).toBe(true);
    expect(jobs).toHaveLength(100);
  });

  it('is followed by another while one company has jobs left and slots for them', async () => {
    await addToEach('uneven', 1);
    await session.query(
      `INSERT INTO accounts.work (company_id, kind, ref) SELECT 7, 'uneven', 'more ' || n FROM generate_series(1, 200) n`,
    );
    const first = await claim('uneven');
    expect(first.more).toBe(true);
    const busy = new Map([[7, first.jobs.filter(({ companyId }) => companyId === 7).length]]);
    const second = await claim('uneven', { busy });
    expect(second.jobs.length + (busy.get(7) ?? 0)).toBe(75);
    expect((await claim('uneven', { busy: new Map([[7, 75]]) })).jobs).toEqual([]);
  });

  it('is followed by another while other claims have locked what is due', async () => {
    await addToEach('locked', 1);
    const other = new Pool({ connectionString: servers.postgres.url, max: 1 });
    await other.query(`BEGIN; SELECT FROM accounts.work WHERE kind = 'locked' FOR UPDATE`);
    expect(await claim('locked')).toEqual({ jobs: [], more: true });
    await other.query('ROLLBACK');
    await other.end();
    expect(await claim('locked')).toMatchObject({ jobs: { length: COMPANIES }, more: false });
    expect(await claim('locked')).toEqual({ jobs: [], more: false });
  });

  it('takes the jobs of lost workers along with due ones', async () => {
    await addToEach('lost', 2);
    await session.query(
      `UPDATE accounts.work SET lease_owner = gen_random_uuid() WHERE kind = 'lost' AND ref = 'job 1'`,
    );
    expect((await claim('lost')).jobs).toHaveLength(COMPANIES);
    expect((await claim('lost', { takeOver: true })).jobs.map(({ ref }) => ref)).toEqual(
      Array.from({ length: COMPANIES }, () => 'job 1'),
    );
  });
});
