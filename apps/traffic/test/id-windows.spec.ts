import { openDatabase, type OpenDatabase, startServers, type TestServers } from '@signalbox/testing';
import { Pool } from 'pg';
import { SelectedRequests } from '../src/request-runs/evaluations/selected-requests.repository.js';
import { RequestSources } from '../src/requests/sources/request-sources.repository.js';
import { TaggableRequests } from '../src/tags/rules/taggable-requests.repository.js';

/** Serial numbers far apart, as where other companies record much more. */
const IDS = [3, 70_000, 70_001, 500_000, 900_000];
const named = (id: number): string => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
const NARROW = 80_000;
const NOW = Date.now();

interface Executed {
  text: string;
  values: unknown[];
}

let servers: TestServers;
let open: OpenDatabase;
/** How many serial numbers each statement since the last look has read. */
let widths: number[] = [];

beforeAll(async () => {
  servers = await startServers({ migrated: true });
  open = await openDatabase(servers, 'traffic');
  const sql = new Pool({ connectionString: servers.postgres.url, max: 1 });
  await sql.query(
    `INSERT INTO traffic.requests (company_id, id, request_id, application_id, intent_id, request_type, model, provider, params,
       response, status, prompt_tokens, completion_tokens, total_tokens, response_time_ms, metadata, date_created)
     SELECT 1, id, ('00000000-0000-4000-8000-' || lpad(id::text, 12, '0'))::uuid, 7, 8, 'PROD', 'm', 'p', '{}', '{}', 'COMPLETED', 2, 3, 5, 1, '{}', $2
     FROM unnest($1::bigint[]) id`,
    [IDS, NOW],
  );
  await sql.end();
  const { pool } = open.db;
  const query = pool.query.bind(pool) as (config: Executed) => Promise<unknown>;
  Object.assign(pool, {
    query({ text, values }: Executed) {
      const valueOf = (condition: RegExp): number => Number(values[Number(condition.exec(text)?.[1] ?? 0) - 1] ?? NaN);
      if (!text.includes('min(t.id)')) widths.push(valueOf(/t\.id <= \$(\d+)/) - valueOf(/t\.id > \$(\d+)/));
      return query({ text, values });
    },
  });
}, 60_000);
afterAll(async () => {
  await open.close();
  await servers.stop();
});
beforeEach(() => (widths = []));
afterEach(() => expect(widths.filter((width) => !(width <= NARROW))).toEqual([]));

/** What a run reads page by page. */
async function paged(page: (cursor: number) => Promise<{ id: number }[]>): Promise<number[]> {
  const ids: number[] = [];
  for (let found = await page(0); found.length > 0; found = await page(ids.at(-1)!))
    ids.push(...found.map(({ id }) => id));
  return ids;
}

describe('no statement of a run reads all requests of a company', () => {
  it('that tags what a filter selects', async () => {
    const requests = new TaggableRequests(open.db, null as never);
    expect(await requests.extent(1, { model: 'm' })).toEqual({ count: 5, upto: 900_000 });
    expect(await requests.extent(1, { model: 'other' })).toEqual({ count: 0, upto: 0 });
    expect(await requests.extent(2, { model: 'm' })).toEqual({ count: 0, upto: 0 });
    const page = (cursor: number) => requests.after(1, { model: 'm' }, { cursor, upto: 500_000 }, 2);
    expect(await paged(page)).toEqual(IDS.slice(0, 4));
  });

  it('that adds what a filter selects to a dataset, the newest first', async () => {
    const sources = new RequestSources(open.db, null as never);
    const select = (more: { before?: number | null; limit?: number; timeMs?: number }) =>
      sources.select(1, { model: 'm' }, { before: null, limit: 10, ...more });
    const newest = IDS.toReversed().map(named);
    expect(await select({})).toEqual({ request_ids: newest, before: null });
    expect(await select({ limit: 2 })).toEqual({ request_ids: newest.slice(0, 2), before: 500_000 });
    const next = { before: 500_000, limit: 2 };
    expect(await select(next)).toEqual({ request_ids: newest.slice(2, 4), before: 70_000 });
    const pages = [await select({ timeMs: 0 })];
    for (let { before } = pages[0]!; before !== null; { before } = pages.at(-1)!)
      pages.push(await select({ before, timeMs: 0 }));
    expect(pages.flatMap(({ request_ids }) => request_ids)).toEqual(newest);
    expect(pages.length).toBeGreaterThan(newest.length);
  });

  it('that evaluates those of an intent, the newest ones if it has a limit', async () => {
    const requests = new SelectedRequests(open.db);
    const selection = { application_id: 7, intent_id: 8, start_date: NOW - 1, end_date: NOW + 1 };
    const tokens = (count: number) => ({ count, prompt_tokens: 2 * count, completion_tokens: 3 * count });
    expect(await requests.extent(1, selection)).toEqual({ ...tokens(5), cursor: 2, upto: 900_000 });
    expect(await requests.extent(1, { ...selection, request_limit: 3 })).toEqual({
      ...tokens(3),
      cursor: 70_000,
      upto: 900_000,
    });
    expect(await requests.extent(1, { ...selection, intent_id: 9 })).toEqual({ ...tokens(0), cursor: 0, upto: 0 });
    const page = (cursor: number) => requests.after(1, selection, { cursor, upto: 900_000 }, 2);
    expect(await paged(page)).toEqual(IDS);
  });
});
