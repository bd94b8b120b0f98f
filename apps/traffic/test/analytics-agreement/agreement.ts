import type { AnalyticsQuery, Bucket, Grouping } from '@signalbox/contracts';
import fc from 'fast-check';
import { FAULTS, LATENCY, SUMMARY, USAGE, VOLUME } from '../../src/analytics/points.js';
import { Rollups } from '../../src/analytics/rollups.repository.js';
import { seriesOf } from '../../src/analytics/series.js';
import { bucketOf, bucketsOf, type Span } from '../../src/analytics/time-buckets.js';
import { conditionsOf } from '../../src/request-records/request-filters.view.js';
import { RequestReader } from '../../src/request-reads/request-reader.repository.js';
import { some, time } from './events.js';
import { BY, EQUAL, faultsIn, listed, matching, percentileIn, type Row, sum, summaryIn, usageIn } from './figures.js';
import { open, parts, requestsOf } from './fixture.js';

type Narrowed = Pick<AnalyticsQuery, (typeof EQUAL)[number] | 'request_type'>;
export const query = fc.record({
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

export async function mustAgree(companyId: number, rows: Row[], { ends: span, bucket, group_by, narrowing }: Query) {
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
