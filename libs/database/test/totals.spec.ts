import { openDatabase, type OpenDatabase, startServers, type TestServers } from '@signalbox/testing';
import type { Filter, View } from '@signalbox/database';
import { Pool } from 'pg';

const ROWS = 100_400;
const COMPANY = 5;

const view: View = {
  resource: 'entry',
  table: 'accounts.audit_log',
  columns: ['id', 'action'],
  alive: 'true',
};

let servers: TestServers;
let open: OpenDatabase;
beforeAll(async () => {
  servers = await startServers({ migrated: true });
  open = await openDatabase(servers, 'accounts');
  const sql = new Pool({ connectionString: servers.postgres.url, max: 1 });
  await sql.query(
    `INSERT INTO accounts.audit_log (company_id, message_id, action, resource_type, resource_id, request_id, date_created)
     SELECT ${COMPANY}, n::text, CASE WHEN n <= 400 THEN 'rare' ELSE 'usual' END, 'agent', '1', '', 0
     FROM generate_series(1, ${ROWS}) n ORDER BY n`,
  );
  await sql.query('VACUUM ANALYZE accounts.audit_log');
  await sql.end();
}, 60_000);
afterAll(async () => {
  await open.close();
  await servers.stop();
});

const pageOf = async (filters: Filter[], offset = 0) => {
  const { text } = await open.db.list(view, COMPANY, { offset, limit: 2, sort: '-id', filters });
  const { data, pagination } = JSON.parse(text) as { data: unknown[]; pagination: object };
  expect(data).toHaveLength(2);
  return pagination;
};

const LIST = { offset: 0, limit: 2 };
const SOME = { sql: 't.date_created = ?', value: 0 };
/** What counting takes long for: the rows behind those that a list counts at most. */
const SLOW = { sql: 'CASE WHEN t.message_id::int > 100100 THEN pg_sleep(0.02) IS NOT NULL ELSE true END', value: null };

describe('the total of a list', () => {
  it('is exact without filters and for few rows', async () => {
    expect(await pageOf([])).toEqual({ ...LIST, total: ROWS });
    expect(await pageOf([{ sql: 't.action = ?', value: 'rare' }])).toEqual({ ...LIST, total: 400 });
  });

  it('is exact for many rows that are counted quickly', async () => {
    expect(await pageOf([SOME], 1000)).toEqual({ total: ROWS, offset: 1000, limit: 2 });
  });

  it('is an estimate that says so when counting would take longer than the list', async () => {
    const { total, ...rest } = (await pageOf([SOME, SLOW])) as { total: number };
    expect(rest).toEqual({ ...LIST, total_is_estimate: true });
    expect(total).toBeGreaterThan(100_000);
  });
});

it.each([
  ['few', 't.id <= ?', 3, 1, [2, 1]],
  ['many', 't.id <= ?', 300, 1, [299, 298]],
  ['far down', 't.id > ?', 0, 5000, [ROWS - 5000, ROWS - 5001]],
] as const)('a page has its rows in their order: %s', async (_what, sql, value, offset, ids) => {
  const filters = [{ sql, value }];
  const { text } = await open.db.list(view, COMPANY, { offset, limit: 2, sort: '-id', filters });
  expect((JSON.parse(text) as { data: { id: number }[] }).data.map(({ id }) => id)).toEqual(ids);
});

it('a list without names is searched by its key', async () => {
  const { text } = await open.db.list(view, COMPANY, { offset: 0, limit: 2, sort: 'id', search: String(ROWS) });
  const { data, pagination } = JSON.parse(text) as { data: { id: number }[]; pagination: { total: number } };
  expect(data.map(({ id }) => id)).toEqual([ROWS]);
  expect(pagination.total).toBe(1);
});

it('an offset of more than a million is refused, with the advice to filter by date', async () => {
  const far = open.db.list(view, COMPANY, { offset: 1_000_001, limit: 2, sort: '-id' });
  await expect(far).rejects.toMatchObject({
    status: 400,
    extras: { details: [{ field: 'offset', message: expect.stringContaining('filter by a span of dates') }] },
  });
});

it('a list that takes too long says how to narrow it', async () => {
  const filters = [{ sql: 'pg_cancel_backend(pg_backend_pid())', value: null }];
  const slow = open.db.list(view, COMPANY, { offset: 0, limit: 2, sort: '-id', filters });
  await expect(slow).rejects.toMatchObject({ status: 504, message: expect.stringContaining('a span of dates') });
});
