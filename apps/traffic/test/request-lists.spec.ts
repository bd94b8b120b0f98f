import { requests } from '@signalbox/contracts';
import { eventually, makeRequestDay, requestDay } from '@signalbox/testing';
import { LIST, startTraffic, type Traffic } from './traffic.js';

const DAY = 86_400_000;
const TODAY = Math.floor(Date.now() / DAY) * DAY;
const DAYS = [TODAY - 4 * DAY, TODAY - 3 * DAY, TODAY];
/** More than a list counts as it reads a page. */
const EACH_DAY = 6000;

/** A number of requests of a day: some cannot be priced, every third belongs to an application, some are reruns. */
const INSERT = `INSERT INTO traffic.requests (company_id, request_id, application_id, intent_id, request_type, model, provider, params, status,
    prompt_tokens, completion_tokens, total_tokens, cost, response_time_ms, metadata, date_created)
  SELECT $1, gen_random_uuid(), CASE WHEN n % 3 = 0 THEN 7 END, CASE WHEN n % 6 = 0 THEN 8 END,
    CASE WHEN n % 11 = 0 THEN 'RERUN' ELSE 'PROD' END, 'model ' || n % 2, 'p', '{}', 'COMPLETED', 0, 0, n * 7919 % 2203,
    CASE WHEN n % 4 > 0 THEN n * 7919 % 2203 * 0.001 END, n % 97, '{}', $2::bigint + n * 1000
  FROM generate_series(1, ${EACH_DAY}) n`;

const INDEXES = `SELECT indexname AS name FROM pg_indexes
  WHERE schemaname = 'traffic' AND tablename = ANY($1) AND indexname ~ '_by_[a-z]+$' ORDER BY 1`;

let traffic: Traffic;
let companyId: number;
beforeAll(async () => {
  // Apart from requests of other specs, which keep a partition of a past day from being made.
  traffic = await startTraffic({ env: {} });
  ({ companyId } = await traffic.platform.company());
  const { sql } = traffic.platform;
  for (const starts of DAYS) {
    await makeRequestDay(sql, starts);
    await sql.query(INSERT, [companyId, starts]);
  }
  await sql.query('UPDATE traffic.requests SET deleted_at = 1 WHERE company_id = $1 AND total_tokens < 100', [
    companyId,
  ]);
}, 120_000);
afterAll(() => traffic.stop());

type Query = Parameters<typeof listOf>[0];
const listOf = async (query: { sort?: string; limit?: number; offset?: number; [filter: string]: unknown }) => {
  const input = { ...LIST, include_body: false, ...query };
  const { platform } = traffic;
  return platform.bus.call(requests.endpoints.listRequests, input, platform.caller(companyId));
};
const countOf = async (condition: string) => {
  const { rows } = await traffic.platform.sql.query<{ count: string }>(
    `SELECT count(*) FROM traffic.requests WHERE company_id = $1 AND deleted_at IS NULL AND ${condition}`,
    [companyId],
  );
  return Number(rows[0]?.count);
};

describe('a list of thousands of requests', () => {
  const [first = 0, second = 0] = DAYS;
  const middle = first + 1_234_567;
  it.each<[Query, string]>([
    [{}, 'true'],
    [{ request_type: 'PROD' }, `request_type = 'PROD'`],
    [{ start_date: middle }, `date_created >= ${middle}`],
    [
      { start_date: middle, end_date: second + 5_000_001 },
      `date_created >= ${middle} AND date_created < ${second + 5_000_001}`,
    ],
    [{ end_date: TODAY + DAY, model: 'model 1' }, `model = 'model 1'`],
    [{ application_id: 7 }, 'application_id = 7'],
    [{ application_id: 7, intent_id: 8 }, 'application_id = 7 AND intent_id = 8'],
    [{ status: 'COMPLETED' }, `status = 'COMPLETED'`],
    [{ is_corrected: false }, 'corrected_response IS NULL'],
  ])('has the exact total of %j', async (query, condition) => {
    const { pagination } = await listOf(query);
    expect(pagination).toEqual({ total: await countOf(condition), offset: 0, limit: LIST.limit });
  });

  it('has the exact total of requests with a tag or a few, in a span too, without those that were deleted', async () => {
    const { sql } = traffic.platform;
    const made = await sql.query<{ id: number }>(
      `INSERT INTO traffic.tags (company_id, tag_name) VALUES ($1, 'often'), ($1, 'sometimes') RETURNING id`,
      [companyId],
    );
    const [often = 0, sometimes = 0] = made.rows.map(({ id }) => id);
    const tag = (id: number, condition: string) =>
      sql.query(
        `INSERT INTO traffic.request_tags (company_id, tag_id, request_id, request_date)
         SELECT company_id, $2, request_id, date_created FROM traffic.requests WHERE company_id = $1 AND ${condition}`,
        [companyId, id],
      );
    await tag(often, 'total_tokens % 2 = 0');
    await tag(sometimes, 'total_tokens % 9 = 0');
    const totalOf = async (query: Query) => (await listOf(query)).pagination;
    const exactly = async (condition: string) => ({ total: await countOf(condition), offset: 0, limit: LIST.limit });
    expect(await totalOf({ tag_ids: [often] })).toEqual(await exactly('total_tokens % 2 = 0'));
    expect(await totalOf({ tag_ids: [often, sometimes] })).toEqual(
      await exactly('(total_tokens % 2 = 0 OR total_tokens % 9 = 0)'),
    );
    const span = { start_date: middle, end_date: second + 5_000_001 };
    expect(await totalOf({ tag_ids: [often], ...span })).toEqual(
      await exactly(`total_tokens % 2 = 0 AND date_created >= ${middle} AND date_created < ${second + 5_000_001}`),
    );
  });

  it('counts each new and each deleted request', async () => {
    const { pagination, data } = await listOf({});
    const { platform } = traffic;
    await platform.bus.call(
      requests.endpoints.deleteRequest,
      { request_id: data[0]!.request_id },
      platform.caller(companyId),
    );
    expect((await listOf({})).pagination.total).toBe(pagination.total - 1);
    await platform.sql.query(INSERT.replace(`(1, ${EACH_DAY})`, '(6001, 6002)'), [companyId, TODAY]);
    expect((await listOf({})).pagination.total).toBe(pagination.total + 1);
  });

  it('is sorted alike, also far down, with and without the indexes of the days that are over', async () => {
    const { platform } = traffic;
    const FIELDS = ['id', 'date_created', 'cost', 'total_tokens', 'response_time_ms', 'model', 'date_updated'];
    const read = async () => {
      const pages: string[][] = [];
      for (const sort of FIELDS.flatMap((field) => [field, `-${field}`]))
        for (const offset of [0, 1700])
          pages.push((await listOf({ sort, offset, limit: 100 })).data.map(({ request_id }) => request_id));
      return pages;
    };
    const tables = DAYS.map(requestDay);
    const indexes = async () =>
      (await platform.sql.query<{ name: string }>(INDEXES, [tables])).rows.map(({ name }) => name);
    for (const name of await indexes()) await platform.sql.query(`DROP INDEX traffic.${name}`);
    const before = await read();
    await platform.service('traffic').kill('SIGTERM');
    await platform.service('traffic').start();
    const expected = DAYS.slice(0, 2).flatMap((starts) =>
      ['cost', 'duration', 'fault', 'intent', 'model', 'number', 'time', 'tokens', 'updated'].map(
        (name) => `${requestDay(starts)}_by_${name}`,
      ),
    );
    await eventually('the days that are over are indexed, today is not', async () =>
      (await indexes()).length >= expected.length ? true : undefined,
    );
    expect(await indexes()).toEqual(expected);
    expect(await read()).toEqual(before);
  });

  it('has requests without a cost before the others, and after them in descending order', async () => {
    const costs = async (sort: string) => (await listOf({ sort, limit: 100 })).data.map(({ usage }) => usage.cost);
    expect(new Set(await costs('cost'))).toEqual(new Set([null]));
    const falling = (await costs('-cost')) as number[];
    expect(falling).toEqual([...falling].sort((a, b) => b - a));
    expect(falling[0]).toBeGreaterThan(2);
  });
});
