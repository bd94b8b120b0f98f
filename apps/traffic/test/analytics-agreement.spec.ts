import { randomUUID } from 'node:crypto';
import type { AnalyticsQuery, Bucket, Grouping, Verdict } from '@signalbox/contracts';
import { openObjectStore } from '@signalbox/objects';
import { createLogger } from '@signalbox/platform';
import { makeRequestDay, openDatabase, type OpenDatabase, startServers, type TestServers } from '@signalbox/testing';
import fc from 'fast-check';
import { Pool } from 'pg';
import { rate } from '../src/analytics/metrics.js';
import { FAULTS, LATENCY, SUMMARY, USAGE, VOLUME } from '../src/analytics/points.js';
import { Rollups } from '../src/analytics/rollups.repository.js';
import type { AnalyticsFilter } from '../src/analytics/rollups.sql.js';
import { seriesOf } from '../src/analytics/series.js';
import { bucketOf, bucketsOf, type Span } from '../src/analytics/time-buckets.js';
import { ResultWriter } from '../src/request-records/writing/result-writer.repository.js';
import { PayloadOffload } from '../src/payload-offload/payload-offload.js';
import { OffloadedObjects } from '../src/payload-offload/offloaded-objects.repository.js';
import { RequestRetention } from '../src/requests/retention/request-retention.repository.js';
import { RequestReader } from '../src/request-reads/request-reader.repository.js';
import { conditionsOf } from '../src/request-records/request-filters.view.js';
import { emptyRecord, type RequestRecord } from '../src/request-records/request-record.js';
import { RecordedSessions } from '../src/session-history/recorded-sessions.repository.js';
import { requestWriter } from './request-writer.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A Sunday, so that weeks change within the days of the tests; long ago, so that all of it is in one partition. */
const BEGINS = Date.parse('2024-06-02T00:00:00Z');

let servers: TestServers;
let open: OpenDatabase;
let parts: PayloadOffload;
let company = 0;
beforeAll(async () => {
  servers = await startServers({ migrated: true });
  open = await openDatabase(servers, 'traffic', 8);
  const store = openObjectStore({ OBJECT_STORE_URL: '', DATA_DIR: servers.dir }, 'traffic');
  parts = new PayloadOffload(open.db, new OffloadedObjects(open.db), store, createLogger('traffic', 'silent'));
}, 60_000);
afterAll(async () => {
  await open.close();
  await servers.stop();
});

const requestsOf = () => requestWriter(open.db);
/** Stores the verdict of the company's sentinel about a request. */
async function judge(companyId: number, requestId: string, status: Verdict): Promise<void> {
  await open.db.withCompany({ companyId }, async (tx) => {
    const found = await tx.query<{ date_created: number }>(
      'SELECT date_created FROM traffic.requests WHERE company_id = $1 AND request_id = $2',
      [companyId, requestId],
    );
    const group = `agreement ${companyId}`;
    await tx.query(
      `INSERT INTO traffic.intent_groups (company_id, intent_group_name) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
      [companyId, group],
    );
    await tx.query(
      `INSERT INTO traffic.sentinels (company_id, sentinel_name, severity, intent_group_id, sentinel_directive, state)
       SELECT $1, 'any', 1, id, '{}', 'DISABLED' FROM traffic.intent_groups WHERE company_id = $1 AND intent_group_name = $2
       ON CONFLICT DO NOTHING`,
      [companyId, group],
    );
    const [sentinel] = await tx.query<{ id: number }>('SELECT id FROM traffic.sentinels WHERE company_id = $1', [
      companyId,
    ]);
    const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cost: null };
    const verdict = { status, failure_class: null, description: '', confidence: null, correction: null };
    const of = { sentinel: { id: sentinel?.id ?? 0, sentinel_name: 'any', severity: 1 }, eval_time_ms: 0, usage };
    for (const { date_created } of found)
      await new ResultWriter().store(tx, {
        request: { request_id: requestId, date_created },
        results: [{ ...of, ...verdict }],
        passId: randomUUID(),
      });
  });
}
const insert = async (records: readonly RequestRecord[]) => {
  for (const companyId of new Set(records.map(({ company_id }) => company_id)))
    await requestsOf().insertOf(
      companyId,
      records.filter(({ company_id }) => company_id === companyId),
    );
};
const callerOf = (companyId: number) => ({
  companyId,
  keyId: null,
  scopes: [],
  requestId: randomUUID(),
  deadline: Date.now() + 60_000,
});

/** Times that are likely to lie on, just before and just after the edges of hours and days. */
const time = fc
  .tuple(
    fc.integer({ min: 0, max: 4 * 24 }),
    fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: 2, max: HOUR - 2 })),
  )
  .map(([hour, ms]) => BEGINS + (hour < 50 ? Math.floor(hour / 10) * DAY : hour * HOUR) + ms);
const some = <T>(...values: T[]) => fc.constantFrom(...values);
const milliseconds = fc.option(fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 900_000 })));

const record = fc.record({
  application_id: some(1, 2, null),
  intent_id: some(1, 2, null),
  intent_group_id: some(3, null),
  agent_id: some(null, null, 5),
  workflow_id: some(null, null, 8),
  release: some(null, 'agent:5@stable', 'workflow:8@stable'),
  session_id: some('s1', 's2', 's3', 's4', 's5', null),
  request_type: some('PROD', 'PROD', 'PROD', 'MANUAL', 'RERUN', 'SYNTHETIC'),
  model: some('a', 'b'),
  status: some('COMPLETED' as const, 'COMPLETED' as const, 'FAILED' as const),
  fallback_used: fc.boolean(),
  prompt_tokens: fc.nat(100),
  completion_tokens: fc.nat(100),
  cost: some(null, 0, 0.1, 0.2, 0.0000000003),
  response_time_ms: milliseconds,
  first_token_time_ms: milliseconds,
  date_created: time,
});
type BackendAnswer = typeof record extends fc.Arbitrary<infer T> ? T : never;

function recordOf(companyId: number, given: BackendAnswer): RequestRecord {
  return {
    ...emptyRecord(companyId),
    ...given,
    company_id: companyId,
    request_id: randomUUID(),
    in_session: given.session_id !== null,
    reference_id: null,
    inference_location: 'SERVER',
    provider: 'p',
    params: '{}',
    response: given.status === 'COMPLETED' ? '{"choices":[]}' : null,
    failure_class: null,
    error_message: null,
    fallback_reason: null,
    primary_model: null,
    total_tokens: given.prompt_tokens + given.completion_tokens,
    metadata: '{}',
  };
}

/** What can happen to traffic; numbers choose among what was recorded so far. */
const arbitraryEvent = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: some('record' as const), records: fc.array(record, { minLength: 1, maxLength: 5 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: some('again' as const), from: fc.nat(30), count: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: some('judge' as const),
      which: fc.nat(),
      status: some('NA' as const, 'PASS' as const, 'FAULT' as const, 'ERROR' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: some('correct' as const, 'restore' as const, 'delete' as const), which: fc.nat() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: some('forget' as const), session: some('s1', 's2', 's3') }) },
  { weight: 1, arbitrary: fc.record({ kind: some('expire' as const), before: time }) },
  // Whatever happens, happens to what is folded and to what is not.
  { weight: 2, arbitrary: fc.record({ kind: some('fold' as const) }) },
);
type TaskEvent = typeof arbitraryEvent extends fc.Arbitrary<infer T> ? T : never;

const choices = [{ message: { role: 'assistant' as const, content: 'better' } }];
const correction = { choices, note: null, key_id: null, date_updated: 1 };
/** What is gone already cannot be changed. */
const ifThere = (done: Promise<unknown>): Promise<unknown> =>
  done.catch((error: { kind?: string }) => {
    if (error.kind !== 'not_found') throw error;
  });

async function happen(companyId: number, all: RequestRecord[], what: TaskEvent): Promise<unknown> {
  const recorded = new RequestReader(open.db, parts, requestsOf(), new Rollups(open.db));
  const caller = callerOf(companyId);
  const chosen = (which: number) => all[which % Math.max(1, all.length)]?.request_id ?? randomUUID();
  switch (what.kind) {
    case 'record': {
      const fresh = what.records.map((given) => recordOf(companyId, given));
      all.push(...fresh);
      return insert(fresh);
    }
    case 'again':
      return insert(all.filter((_, at) => at >= what.from && at < what.from + what.count));
    case 'judge':
      return judge(companyId, chosen(what.which), what.status);
    case 'correct':
    case 'restore':
      return ifThere(recorded.correct(caller, chosen(what.which), () => (what.kind === 'correct' ? correction : null)));
    case 'delete':
      return ifThere(recorded.remove(caller, chosen(what.which)));
    case 'forget':
      return ifThere(new RecordedSessions(open.db, parts).remove(caller, what.session));
    case 'fold':
      return new Rollups(open.db).fold(companyId);
    case 'expire': {
      const day = Math.floor(what.before / DAY) * DAY;
      await new RequestRetention(open.db, parts).remove(companyId, day, what.before);
      // What has expired is not delivered again.
      all.splice(0, all.length, ...all.filter(({ date_created: at }) => at < day || at >= what.before));
    }
  }
}

interface Row extends RequestRecord {
  deleted_at: number | null;
  corrected_response: unknown;
  correction_applied: boolean;
  evaluation_status: string;
}

async function rowsOf(companyId: number): Promise<Row[]> {
  const rows = await open.db.select<{ row: Row }>(
    companyId,
    'SELECT x.row FROM s, LATERAL (SELECT to_jsonb(t) AS row FROM traffic.requests t WHERE t.company_id = s.company OFFSET 0) x',
  );
  return rows.map(({ row }) => row);
}

/** What applications say of all that was ever recorded under them. */
async function everRecorded(companyId: number): Promise<number> {
  const [row] = await open.db.select<{ count: number }>(
    companyId,
    `SELECT x.* FROM s, LATERAL (SELECT sum(y.request_count)::int AS count FROM traffic.recorded_activity y
       WHERE y.company_id = s.company OFFSET 0) x`,
  );
  return row?.count ?? 0;
}

const EQUAL = ['application_id', 'intent_id', 'intent_group_id', 'agent_id', 'model'] as const;
const BY: Record<Grouping, (row: Row) => string> = {
  none: () => 'all',
  application: (row) => String(row.application_id ?? 'none'),
  intent: (row) => String(row.intent_id ?? 'none'),
  intent_group: (row) => String(row.intent_group_id ?? 'none'),
  model: (row) => row.model,
  agent: (row) => String(row.agent_id ?? 'none'),
  release: (row) => row.release ?? 'none',
  workflow: (row) => String(row.workflow_id ?? 'none'),
};

function matching(rows: Row[], { start, end }: Span, narrowing: AnalyticsFilter): Row[] {
  return rows.filter(
    (row) =>
      row.date_created >= start &&
      row.date_created < end &&
      EQUAL.every((name) => narrowing[name] === undefined || narrowing[name] === row[name]) &&
      (narrowing.request_type
        ? row.request_type === narrowing.request_type
        : ['PROD', 'MANUAL'].includes(row.request_type)),
  );
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
const listed = (rows: Row[]) => rows.filter(({ deleted_at }) => deleted_at === null).length;
const costIn = (rows: Row[]) => {
  const priced = rows.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  return priced.length === 0 ? null : Number(sum(priced).toFixed(10));
};
const faultsIn = (rows: Row[]) => {
  const count = (...states: string[]) => rows.filter((row) => states.includes(row.evaluation_status)).length;
  const evaluated = count('PASS', 'FAULT');
  return { evaluated, faults: count('FAULT'), errors: count('ERROR'), fault_rate: rate(count('FAULT'), evaluated) };
};
const usageIn = (rows: Row[]) => ({
  prompt_tokens: sum(rows.map((row) => row.prompt_tokens)),
  completion_tokens: sum(rows.map((row) => row.completion_tokens)),
  total_tokens: sum(rows.map((row) => row.total_tokens)),
  cost: costIn(rows),
});
function percentileIn(values: (number | null)[], share: number): number | null {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? null;
}
const mean = (values: (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.round(sum(known) / known.length);
};
const summaryIn = (rows: Row[]) => ({
  request_count: listed(rows),
  fault_rate: faultsIn(rows).fault_rate,
  fallback_rate: rate(rows.filter((row) => row.fallback_used).length, rows.length),
  correction_rate: rate(
    rows.filter((row) => row.corrected_response !== null || row.correction_applied).length,
    rows.length,
  ),
  error_rate: rate(rows.filter(({ status }) => status === 'FAILED').length, rows.length),
  avg_response_time_ms: mean(rows.map((row) => row.response_time_ms)),
  total_tokens: usageIn(rows).total_tokens,
  cost: costIn(rows),
});

type Narrowed = Pick<AnalyticsQuery, (typeof EQUAL)[number] | 'request_type'>;
const query = fc.record({
  ends: fc.tuple(time, time).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) + 1 })),
  bucket: some<Bucket>('hour', 'day', 'week'),
  group_by: some<Grouping>(
    'none',
    'none',
    'application',
    'intent',
    'intent_group',
    'model',
    'agent',
    'release',
    'workflow',
  ),
  narrowing: fc
    .tuple(
      fc.record({
        application_id: some(1, 2, 9),
        intent_id: some(1, 2),
        intent_group_id: some(3),
        agent_id: some(5),
        model: some('a', 'b'),
        request_type: some('PROD' as const, 'RERUN' as const, 'SYNTHETIC' as const, 'MANUAL' as const),
      }),
      // Few filters at a time: under all of them there is hardly ever anything left to compare.
      fc.oneof(some([]), fc.shuffledSubarray([...EQUAL, 'request_type' as const], { maxLength: 2 })),
    )
    .map(([all, kept]): Narrowed => Object.fromEntries(kept.map((name) => [name, all[name]]))),
});
type Query = typeof query extends fc.Arbitrary<infer T> ? T : never;

/** How many requests the list of requests has. */
async function countListed(companyId: number, { start, end }: Span, narrowing: Query['narrowing']): Promise<number> {
  const { agent_id, ...filter } = narrowing;
  const filters = conditionsOf({ ...filter, start_date: start, end_date: end });
  if (agent_id !== undefined) filters.push({ sql: 't.agent_id = ?', value: agent_id });
  const page = await new RequestReader(open.db, parts, requestsOf(), new Rollups(open.db)).list(
    companyId,
    { offset: 0, limit: 1, sort: '-id', filters },
    false,
  );
  return (JSON.parse(page.text) as { pagination: { total: number } }).pagination.total;
}

async function mustAgree(companyId: number, rows: Row[], { ends: span, bucket, group_by, narrowing }: Query) {
  const rollups = new Rollups(open.db);
  const wanted = { span, narrowing };
  const plain = matching(rows, span, narrowing);
  const buckets = bucketsOf(span, bucket);
  const keys = group_by === 'none' && plain.length === 0 ? [] : [...new Set(plain.map(BY[group_by]))];
  const at = (key: string, begins: number) =>
    plain.filter((row) => BY[group_by](row) === key && bucketOf(bucket, row.date_created) === begins);

  const types = narrowing.request_type ? [narrowing.request_type] : (['PROD', 'MANUAL'] as const);
  const counts = await Promise.all(
    types.map((request_type) => countListed(companyId, span, { ...narrowing, request_type })),
  );
  const volumes = await rollups.series(companyId, { ...wanted, ...VOLUME }, bucket, group_by);
  expect(VOLUME.point(volumes.total()).count).toBe(sum(counts));
  const shown = seriesOf(volumes, buckets, VOLUME);
  expect(shown.map(({ key }) => key).sort()).toEqual([...keys].sort());
  for (const { key, points } of shown)
    expect(points).toEqual(buckets.map((timestamp) => ({ timestamp, count: listed(at(key, timestamp)) })));

  const judged = await rollups.series(companyId, { ...wanted, ...FAULTS }, bucket, group_by);
  for (const { key, points } of seriesOf(judged, buckets, FAULTS))
    expect(points).toEqual(buckets.map((timestamp) => ({ timestamp, ...faultsIn(at(key, timestamp)) })));
  expect(FAULTS.point(judged.total())).toEqual(faultsIn(plain));

  const used = await rollups.series(companyId, { ...wanted, ...USAGE }, bucket, group_by);
  for (const { key, points } of seriesOf(used, buckets, USAGE))
    expect(points).toEqual(buckets.map((timestamp) => ({ timestamp, ...usageIn(at(key, timestamp)) })));
  expect(USAGE.point(used.total())).toEqual(usageIn(plain));

  const late = await rollups.series(companyId, { ...wanted, ...LATENCY }, bucket, group_by);
  const near = (found: number | null, exact: number | null) =>
    exact === null || found === null
      ? expect(found).toBe(exact)
      : expect(Math.abs(found - exact)).toBeLessThanOrEqual(exact * 0.01 + 0.5);
  for (const { key, points } of seriesOf(late, buckets, LATENCY))
    for (const { timestamp, ...found } of points) {
      const times = at(key, timestamp).map(({ response_time_ms }) => response_time_ms);
      near(found.p50_ms, percentileIn(times, 0.5));
      near(found.p90_ms, percentileIn(times, 0.9));
      near(found.p95_ms, percentileIn(times, 0.95));
      near(
        found.first_token_p50_ms,
        percentileIn(
          at(key, timestamp).map((row) => row.first_token_time_ms),
          0.5,
        ),
      );
    }

  const { figures, sessions } = await rollups.summary(companyId, { ...wanted, ...SUMMARY });
  expect(SUMMARY.point(figures)).toEqual(summaryIn(plain));
  expect(sessions).toBe(new Set(plain.flatMap(({ session_id }) => (session_id === null ? [] : [session_id]))).size);
}

describe('the figures', () => {
  it('agree with the requests after whatever has happened, over any span', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryEvent, { minLength: 2, maxLength: 14 }),
        fc.array(query, { minLength: 3, maxLength: 3 }),
        async (generated, queries) => {
          const companyId = ++company;
          const all: RequestRecord[] = [];
          for (const what of generated) await happen(companyId, all, what);
          const rows = await rowsOf(companyId);
          for (const one of queries) await mustAgree(companyId, rows, one);
        },
      ),
      { numRuns: 40, endOnFailure: true },
    );
  }, 120_000);

  it('count once what several processes deliver at the same time', async () => {
    const companyId = ++company;
    const [given] = fc.sample(fc.array(record, { minLength: 400, maxLength: 400 }), { numRuns: 1, seed: 1 });
    const all = (given ?? []).map((each) => recordOf(companyId, each));
    const batches = Array.from({ length: 24 }, (_, at) => all.filter((_each, n) => (n + at) % 5 < 2));
    const sessions = new RecordedSessions(open.db, parts);
    await Promise.all([
      ...batches.map((batch) => insert(batch)),
      ...all.slice(0, 40).map(({ request_id }) => judge(companyId, request_id, 'FAULT')),
      ...Array.from({ length: 5 }, () => new Rollups(open.db).fold(companyId)),
      ...['s1', 's2'].map((id) => ifThere(sessions.remove(callerOf(companyId), id))),
    ]);
    const rows = await rowsOf(companyId);
    expect(rows).toHaveLength(all.length);
    expect(await everRecorded(companyId)).toBe(rows.filter(({ application_id }) => application_id !== null).length);
    const ends = { start: BEGINS - DAY, end: BEGINS + 9 * DAY };
    for (const narrowing of [{}, { model: 'a' }])
      await mustAgree(companyId, rows, { ends, bucket: 'day', group_by: 'intent', narrowing });
  }, 60_000);

  it('forget a day with its partition, and no other', async () => {
    const companyId = ++company;
    const first = Date.parse('2024-03-01T00:00:00Z');
    const client = new Pool({ connectionString: servers.postgres.url, max: 1 });
    await makeRequestDay(client, first);
    await client.end();
    const [given] = fc.sample(fc.array(record, { minLength: 60, maxLength: 60 }), { numRuns: 1, seed: 2 });
    const shifted = (given ?? []).map((each) => ({ ...each, date_created: first + (each.date_created % (2 * DAY)) }));
    await insert(shifted.map((each) => recordOf(companyId, each)));
    const ends = { start: first - 5, end: first + 3 * DAY };
    const look = async () => {
      const rows = await rowsOf(companyId);
      await mustAgree(companyId, rows, { ends, bucket: 'hour', group_by: 'none', narrowing: {} });
      return rows.length;
    };
    expect(await look()).toBe(60);
    for (const { request_id } of await rowsOf(companyId)) await judge(companyId, request_id, 'FAULT');
    const resultDays = async (): Promise<Set<boolean>> => {
      const results = await open.db.select<{ request_date: number }>(
        companyId,
        'SELECT x.* FROM s, LATERAL (SELECT t.request_date FROM traffic.evaluation_results t WHERE t.company_id = s.company OFFSET 0) x',
      );
      return new Set(results.map(({ request_date: at }) => at < first + DAY));
    };
    expect(await resultDays()).toEqual(new Set([true, false]));
    const retention = new RequestRetention(open.db, parts);
    const day = { starts: first, hasPartition: true };
    // As a pass that began before these requests arrived.
    await expect(retention.drop({ ...day, companies: [] })).rejects.toThrow(`company ${companyId} has requests`);
    expect(await look()).toBe(60);
    await retention.drop({ ...day, companies: [companyId] });
    expect(await look()).toBeLessThan(60);
    expect(await resultDays()).toEqual(new Set([false]));
    await insert(shifted.filter(({ date_created: at }) => at >= first + DAY).map((each) => recordOf(companyId, each)));
    expect(await look()).toBeGreaterThan(0);
  }, 60_000);
});
