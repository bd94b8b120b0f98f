import { createLogger } from '@signalbox/platform';
import {
  makeRequestDay,
  openDatabase,
  type OpenDatabase,
  requestDay,
  startServers,
  type TestServers,
} from '@signalbox/testing';
import { Pool } from 'pg';
import { ClosedDays } from '../src/requests/closed-days/closed-days.worker.js';

const DAY_MS = 86_400_000;
const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const INDEXES = 9;
const logger = createLogger('tester', 'silent');

let servers: TestServers;
let open: OpenDatabase;
let sql: Pool;
beforeAll(async () => {
  servers = await startServers({ migrated: true });
  open = await openDatabase(servers, 'traffic');
  sql = new Pool({ connectionString: servers.postgres.url, max: 2 });
  for (const back of [7, 8, 9]) await makeDay(back);
}, 60_000);
afterAll(async () => {
  await open.close();
  await sql.end();
  await servers.stop();
});

const nameOf = (back: number): string => requestDay(TODAY - back * DAY_MS);
const makeDay = (back: number): Promise<void> => makeRequestDay(sql, TODAY - back * DAY_MS);

async function indexesOf(back: number): Promise<number> {
  const { rows } = await sql.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_indexes WHERE schemaname = 'traffic' AND tablename = $1 AND indexname LIKE '%\_by\_%'`,
    [nameOf(back)],
  );
  return rows[0]?.n ?? 0;
}

const pass = (days: ClosedDays): Promise<void> => days.index(new AbortController().signal);

/** Runs something while a transaction has written to a day, so that no index of it can be created. */
async function whileWritten(back: number, work: () => Promise<void>): Promise<void> {
  const writer = await sql.connect();
  try {
    await writer.query(`BEGIN; LOCK TABLE traffic.${nameOf(back)} IN ROW EXCLUSIVE MODE`);
    await work();
  } finally {
    await writer.query('ROLLBACK');
    writer.release();
  }
}

describe('the requests of a day that is over', () => {
  it('are indexed although those of a newer day are being written, which follow at the next pass', async () => {
    const days = new ClosedDays(open.db, logger);
    await whileWritten(7, () => pass(days));
    expect(await Promise.all([7, 8, 9].map(indexesOf))).toEqual([0, INDEXES, INDEXES]);
    await pass(days);
    expect(await indexesOf(7)).toBe(INDEXES);
  });

  it('are put off until tomorrow when an index takes longer than a statement may, and hold up no older day', async () => {
    for (const back of [10, 11]) await makeDay(back);
    const hasty = await openDatabase(servers, 'traffic');
    // Shorter than the wait for a lock: the statement is cancelled in it.
    hasty.db.worker.on('connect', (client) => void client.query(`SET statement_timeout = '300ms'`));
    const days = new ClosedDays(hasty.db, logger);
    await whileWritten(10, () => pass(days));
    expect(await Promise.all([10, 11].map(indexesOf))).toEqual([0, INDEXES]);
    await pass(days);
    expect(await indexesOf(10)).toBe(0);
    await hasty.close();
    await pass(new ClosedDays(open.db, logger));
    expect(await indexesOf(10)).toBe(INDEXES);
  });
});
