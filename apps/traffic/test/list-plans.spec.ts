import { createHash } from 'node:crypto';
import { type Filter, filtersOf, listSql, placedValues, scopedSql, sortSql, type View } from '@signalbox/database';
import { createLogger } from '@signalbox/platform';
import { discardedRows, makeRequestDay, openDatabase, startServers, type TestServers } from '@signalbox/testing';
import { Pool } from 'pg';
import { EvaluationResults } from '../src/judging/evaluation-results.repository.js';
import { view as results, viewOf } from '../src/judging/evaluation-results.sql.js';
import { conditionsOf, REQUEST } from '../src/request-records/index.js';
import { COUNT_TAGGED } from '../src/request-reads/request-reader.sql.js';
import { tagConditionIn } from '../src/request-reads/tag-condition.js';
import { FAULT, LIST_FAULTS } from '../src/reports/fault-reports.sql.js';
import { ClosedDays } from '../src/requests/closed-days/closed-days.worker.js';

const DAY = 86_400_000;
const TODAY = Math.floor(Date.now() / DAY) * DAY;
const CLOSED = TODAY - 8 * DAY;
const REQUESTS = 6000;
/** What is rare, among the oldest. */
const RARE = 300;
const FEW = 1000;

let servers: TestServers;
let sql: Pool;

/** Without statistics, as right after many were recorded at once: autovacuum is off. */
beforeAll(async () => {
  servers = await startServers({ migrated: true, postgres: { autovacuum: 'off' } });
  sql = new Pool({ connectionString: servers.postgres.url, max: 1 });
  await makeRequestDay(sql, CLOSED);
  await sql.query('SET session_replication_role = replica');
  for (const [date, from] of [
    [CLOSED, 1],
    [TODAY, REQUESTS + 1],
  ])
    await sql.query(
      `INSERT INTO traffic.requests (company_id, id, request_id, request_type, model, provider, params, status, evaluation_status,
         prompt_tokens, completion_tokens, total_tokens, response_time_ms, metadata, date_created)
       SELECT 1, n, md5(n::text)::uuid, 'PROD', 'm', 'p', '{}', CASE WHEN n - $2 < ${RARE} THEN 'FAILED' ELSE 'COMPLETED' END,
         CASE WHEN n - $2 < ${RARE} THEN 'FAULT' ELSE 'PASS' END, 0, 0, 0, 1, '{}', $1::bigint + n
       FROM generate_series($2::bigint, $2::bigint + ${REQUESTS} - 1) n`,
      [date, from],
    );
  await sql.query(
    `INSERT INTO traffic.evaluation_results (company_id, evaluation_request_id, request_id, request_date, sentinel_id, sentinel_name,
       severity, status, description, eval_time_ms, usage, is_current, date_created)
     SELECT company_id, request_id, request_id, date_created, 1, 's', 1, evaluation_status, '', 1, '{}', true, date_created
     FROM traffic.requests ORDER BY id`,
  );
  await sql.query(
    `INSERT INTO traffic.request_tags (company_id, tag_id, request_id, request_date)
     SELECT company_id, 1, request_id, date_created FROM traffic.requests WHERE id % 2 = 0
     UNION ALL SELECT company_id, 2, request_id, date_created FROM traffic.requests WHERE id <= ${RARE}`,
  );
}, 120_000);
afterAll(async () => {
  await sql.end();
  await servers.stop();
});

const md5Uuid = (text: string): string =>
  createHash('md5')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

const listed = (view: View, filters: readonly Filter[], sort = '-id', company = 1): Promise<number> => {
  const { text, values } = listSql(view, { offset: 0, limit: 25, sort, filters }, sortSql(view, sort)!);
  return discardedRows(sql, 'traffic', text, [company, ...values]);
};

describe('before there are statistics of new requests', () => {
  it('those with a tag are found by look-ups', async () => {
    const span = { start_date: TODAY, end_date: TODAY + DAY };
    // Half of the requests have it: as many are passed over.
    expect(await listed(REQUEST, conditionsOf({ tag_ids: [1], ...span }))).toBeLessThan(4 * REQUESTS);
  });

  it('those of a company that has no others are found by look-ups in a span of many days too', async () => {
    await sql.query(
      `SET session_replication_role = replica;
       INSERT INTO traffic.requests (company_id, id, request_id, request_type, model, provider, params, status, prompt_tokens,
         completion_tokens, total_tokens, response_time_ms, metadata, date_created)
       SELECT 2, id + 1000000, request_id, request_type, model, provider, params, status, 0, 0, 0, 1, '{}', date_created
       FROM traffic.requests WHERE date_created >= ${TODAY};
       INSERT INTO traffic.request_tags (company_id, tag_id, request_id, request_date)
       SELECT 2, tag_id, request_id, request_date FROM traffic.request_tags WHERE request_date >= ${TODAY}`,
    );
    const open = await openDatabase(servers, 'traffic');
    for (const span of [{ start_date: CLOSED }, {}]) {
      const filters = await tagConditionIn(open.db, 2, conditionsOf({ tag_ids: [1], ...span }));
      expect(await listed(REQUEST, filters, '-id', 2)).toBeLessThan(4 * REQUESTS);
    }
    await open.close();
  });

  it('deleted ones with a tag are found by look-ups', async () => {
    const values = [1, [1], TODAY, TODAY + DAY];
    await sql.query('UPDATE traffic.requests SET deleted_at = 1 WHERE id % 4 = 0');
    expect(await discardedRows(sql, 'traffic', scopedSql(COUNT_TAGGED.text), values)).toBeLessThan(4 * REQUESTS);
    await sql.query('UPDATE traffic.requests SET deleted_at = NULL');
  });
});

describe('what few requests are is listed without reading the others', () => {
  beforeAll(() => sql.query('ANALYZE'));

  it('that failed', async () => {
    expect(await listed(REQUEST, conditionsOf({ status: 'FAILED' }))).toBeLessThan(FEW);
  });

  it('that have a fault, of days that are over', async () => {
    const open = await openDatabase(servers, 'traffic');
    await new ClosedDays(open.db, createLogger('tester', 'silent')).index(new AbortController().signal);
    await open.close();
    const filters = conditionsOf({ evaluation_status: 'FAULT', end_date: CLOSED + DAY });
    expect(await listed(REQUEST, filters)).toBeLessThan(FEW);
  });
});

describe('results of evaluations', () => {
  it('of a span of dates are listed without reading those of others', async () => {
    const filters = filtersOf(results, { start_date: CLOSED, end_date: CLOSED + 200 });
    expect(await listed(viewOf(filters), filters, '-date_created')).toBeLessThan(FEW);
  });

  it('that are faults are reported without reading the others', async () => {
    const filters = filtersOf(FAULT, { start_date: CLOSED, end_date: CLOSED + DAY });
    const values = [1, 25, 0, ...placedValues(filters)];
    expect(await discardedRows(sql, 'traffic', scopedSql(LIST_FAULTS(filters, 'DESC').text), values)).toBeLessThan(FEW);
  });

  it('of one request are the newest thousand, however often it was evaluated', async () => {
    await sql.query(
      `SET session_replication_role = replica;
       INSERT INTO traffic.evaluation_results (company_id, evaluation_id, evaluation_request_id, request_id, request_date, sentinel_id,
         sentinel_name, severity, status, description, eval_time_ms, usage, is_current, date_created)
       SELECT company_id, n, gen_random_uuid(), request_id, request_date, 2, 's', 1, 'PASS', '', 1, '{}', false, date_created
       FROM traffic.evaluation_results, generate_series(1, 1100) n WHERE request_id = md5('1')::uuid`,
    );
    const open = await openDatabase(servers, 'traffic');
    const found = await new EvaluationResults(open.db).ofRequest(1, md5Uuid('1'));
    await open.close();
    expect(found.map(({ evaluation_id }) => evaluation_id)).toEqual(Array.from({ length: 1000 }, (_, at) => 1100 - at));
  });
});
