import { openDatabase, type OpenDatabase, startServers, type TestServers } from '@signalbox/testing';
import { Pool } from 'pg';
import { SelectedRequests } from '../src/request-runs/evaluations/selected-requests.repository.js';
import { RequestSources } from '../src/requests/sources/request-sources.repository.js';
import { TaggableRequests } from '../src/tags/rules/taggable-requests.repository.js';

/** Serial numbers far apart, as where other companies record much more. */
const APART = 1000;
const COUNT = 12_000;
const LAST = COUNT * APART;
/** A run begins with windows of so many rows, and doubles them. */
const FIRST = 5000;
const nameOf = (id: number): string => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
const NOW = Date.now();

interface Executed {
  text: string;
  values: unknown[];
}

let servers: TestServers;
let open: OpenDatabase;
/** How many requests each statement since the last look has read. */
let read: number[] = [];
let statements = 0;

beforeAll(async () => {
  servers = await startServers({ migrated: true });
  open = await openDatabase(servers, 'traffic');
  const sql = new Pool({ connectionString: servers.postgres.url, max: 1 });
  await sql.query('SET session_replication_role = replica');
  await sql.query(
    `INSERT INTO traffic.requests (company_id, id, request_id, application_id, intent_id, request_type, model, provider, params,
       response, status, prompt_tokens, completion_tokens, total_tokens, response_time_ms, metadata, date_created)
     SELECT 1, id, ('00000000-0000-4000-8000-' || lpad(id::text, 12, '0'))::uuid, 7, 8, 'PROD', 'm', 'p', '{}', '{}', 'COMPLETED', 2, 3, 5, 1, '{}', $1
     FROM generate_series(${APART}, ${LAST}, ${APART}) id`,
    [NOW],
  );
  await sql.end();
  const { pool } = open.db;
  const query = pool.query.bind(pool) as (config: Executed) => Promise<unknown>;
  Object.assign(pool, {
    query({ text, values }: Executed) {
      const valueOf = (condition: RegExp): number => Number(values[Number(condition.exec(text)?.[1] ?? 0) - 1] ?? NaN);
      const before = (condition: RegExp): number => Math.floor(valueOf(condition) / APART);
      statements++;
      if (!text.includes('min(t.id)') && !text.includes('LIMIT 1 OFFSET'))
        read.push(before(/t\.id <= \$(\d+)/) - before(/t\.id > \$(\d+)/));
      return query({ text, values });
    },
  });
}, 60_000);
afterAll(async () => {
  await open.close();
  await servers.stop();
});
beforeEach(() => {
  read = [];
  statements = 0;
});
afterEach(() => {
  expect(read.filter((count) => !(count <= 2 * FIRST))).toEqual([]);
  // The numbers of others cost nothing: in windows of 80,000 of them it would be 150 for each reading.
  expect(statements).toBeLessThan(40);
});

/** What a run reads page by page. */
async function paged(page: (cursor: number) => Promise<{ id: number }[]>): Promise<number[]> {
  const ids: number[] = [];
  for (let found = await page(0); found.length > 0; found = await page(ids.at(-1)!))
    ids.push(...found.map(({ id }) => id));
  return ids;
}

const idsUpTo = (last: number): number[] => Array.from({ length: last / APART }, (_, at) => (at + 1) * APART);

describe('no statement of a run reads all requests of a company, and none those of others', () => {
  it('that tags what a filter selects', async () => {
    const requests = new TaggableRequests(open.db, null as never);
    expect(await requests.extent(1, { model: 'm' })).toEqual({ count: COUNT, upto: LAST });
    expect(await requests.extent(1, { model: 'other' })).toEqual({ count: 0, upto: 0 });
    expect(await requests.extent(2, { model: 'm' })).toEqual({ count: 0, upto: 0 });
    const page = (cursor: number) => requests.after(1, { model: 'm' }, { cursor, upto: LAST - APART }, 6000);
    expect(await paged(page)).toEqual(idsUpTo(LAST - APART));
  });

  it('that adds what a filter selects to a dataset, the newest first', async () => {
    const sources = new RequestSources(open.db, null as never);
    const select = (more: { before?: number | null; limit?: number; timeMs?: number }) =>
      sources.select(1, { model: 'm' }, { before: null, limit: COUNT + 1, ...more });
    const newest = idsUpTo(LAST).toReversed().map(nameOf);
    expect(await select({})).toEqual({ request_ids: newest, before: null });
    expect(await select({ limit: 2 })).toEqual({ request_ids: newest.slice(0, 2), before: LAST - APART });
    const next = { before: LAST - APART, limit: 2 };
    expect(await select(next)).toEqual({ request_ids: newest.slice(2, 4), before: LAST - 3 * APART });
    const pages = [await select({ timeMs: 0 })];
    for (let { before } = pages[0]!; before !== null; { before } = pages.at(-1)!)
      pages.push(await select({ before, timeMs: 0 }));
    expect(pages.flatMap(({ request_ids }) => request_ids)).toEqual(newest);
    expect(pages.length).toBeGreaterThan(1);
  });

  it('that evaluates those of an intent, the newest ones if it has a limit', async () => {
    const requests = new SelectedRequests(open.db);
    const selection = { application_id: 7, intent_id: 8, start_date: NOW - 1, end_date: NOW + 1 };
    const tokens = (count: number) => ({ count, prompt_tokens: 2 * count, completion_tokens: 3 * count });
    expect(await requests.extent(1, selection)).toEqual({ ...tokens(COUNT), cursor: APART - 1, upto: LAST });
    expect(await requests.extent(1, { ...selection, request_limit: 3 })).toEqual({
      ...tokens(3),
      cursor: LAST - 2 * APART - 1,
      upto: LAST,
    });
    expect(await requests.extent(1, { ...selection, intent_id: 9 })).toEqual({ ...tokens(0), cursor: 0, upto: 0 });
    const page = (cursor: number) => requests.after(1, selection, { cursor, upto: LAST }, 6000);
    expect(await paged(page)).toEqual(idsUpTo(LAST));
  });
});
