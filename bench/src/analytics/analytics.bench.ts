import type { Platform } from '@signalbox/testing';
import type { Bench, Sizes } from '../bench.js';
import { reportAlone, type Verdict } from '../measure/report.js';
import { fill, rowsIn } from './traffic.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SERIES = ['request-volume', 'fault-rate', 'latency', 'usage'];
const TABLES = ['requests', 'request_rollups', 'request_series', 'session_places', 'wandering_places'];

interface Question {
  what: string;
  query: Record<string, string | number>;
}

/** Typical and worst spans; `now` lies within an hour, so that spans that end with it have a partial bucket. */
function questions(now: number): Question[] {
  const today = Math.floor(now / DAY) * DAY;
  const last = (days: number) => ({ start_date: now - days * DAY, end_date: now });
  const forty = { start_date: today - 41 * DAY, end_date: today, bucket: 'hour' };
  return [
    { what: '7 d by day', query: last(7) },
    { what: '7 d by day, one application', query: { ...last(7), application_id: 3 } },
    { what: '7 d by hour, per model', query: { ...last(7), bucket: 'hour', group_by: 'model' } },
    { what: '90 d by day', query: last(90) },
    { what: '90 d by week, per intent', query: { ...last(90), bucket: 'week', group_by: 'intent' } },
    { what: '41 d by hour', query: forty },
    {
      what: '41 d by hour, partial buckets',
      query: { ...forty, start_date: forty.start_date + 1, end_date: today - HOUR / 2 },
    },
    { what: '41 d by hour, one intent and model', query: { ...forty, intent_id: 2, model: 'model-2' } },
    { what: '41 d by hour, per model', query: { ...forty, group_by: 'model' } },
    { what: '41 d by hour, per intent', query: { ...forty, group_by: 'intent' } },
  ];
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? NaN;

/** Times of one query; of several, a first one is discarded. */
async function timesOf(platform: Platform, key: string, path: string, times: number): Promise<number[]> {
  const found: number[] = [];
  for (let time = times > 1 ? -1 : 0; time < times; time++) {
    const began = performance.now();
    const reply = await fetch(`${platform.baseUrl}${path}`, { headers: { 'x-service-api-key': key } });
    const text = await reply.text();
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${text.slice(0, 200)}`);
    if (time >= 0) found.push(performance.now() - began);
  }
  return found.sort((a, b) => a - b);
}

const totalAt = async (platform: Platform, key: string, path: string): Promise<unknown> => {
  const reply = await fetch(`${platform.baseUrl}${path}`, { headers: { 'x-service-api-key': key } });
  const { data, pagination } = (await reply.json()) as { data: { total?: unknown }; pagination?: { total: number } };
  return pagination?.total ?? data.total;
};

/** The count of the list of requests and the total of their volume have to be equal. */
async function mustAgree(platform: Platform, key: string, now: number): Promise<void> {
  for (const more of ['', '&model=model-2', '&application_id=3&intent_id=10']) {
    const span = `start_date=${now - 33 * DAY - 12_345}&end_date=${now - DAY - 54_321}&request_type=PROD${more}`;
    const paths = [`/requests?limit=1&${span}`, `/analytics/request-volume?${span}`];
    const [listed, counted] = await Promise.all(paths.map((path) => totalAt(platform, key, path)));
    if (listed !== counted || !listed)
      throw new Error(`${String(listed)} requests are listed, ${String(counted)} counted`);
  }
}

async function measure(platform: Platform, key: string, { tiny }: Sizes): Promise<Verdict[]> {
  const now = Date.now();
  await mustAgree(platform, key, now);
  const asked = questions(now);
  const all: { path: string; what: string }[] = [
    ...asked.flatMap(({ what, query }) =>
      SERIES.map((name) => ({ what: `${name}, ${what}`, path: `/analytics/${name}?${textOf(query)}` })),
    ),
    ...[7, 90].map((days) => {
      const query = textOf({ start_date: now - days * DAY, end_date: now });
      return { what: `summary, ${days} d`, path: `/analytics/summary?${query}` };
    }),
  ];
  let slowest = { what: '', p95: 0 };
  console.log(`\n  ${'p50 ms'.padStart(8)}${'p95 ms'.padStart(8)}`);
  for (const { what, path } of all) {
    const times = await timesOf(platform, key, path, tiny ? 1 : 12);
    const p95 = at(times, 0.95);
    console.log(`  ${at(times, 0.5).toFixed(0).padStart(8)}${p95.toFixed(0).padStart(8)}  ${what}`);
    if (p95 > slowest.p95) slowest = { what, p95 };
  }
  const goal = { id: 'A1', what: `analytics, slowest p95: ${slowest.what}`, unit: 'ms', better: 'less' } as const;
  return [reportAlone({ ...goal, must: 300, aim: 100 }, [slowest.p95])];
}

const textOf = (query: Question['query']): string =>
  new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString();

/** Time to a page of metrics over a quarter of traffic. */
export const analytics: Bench = {
  name: 'analytics',
  description: 'A1: metrics over HTTP of 1,000,000 requests in 90 days',
  run: (sizes) =>
    sizes.setups.onPlatform({ services: ['accounts', 'traffic', 'gateway'] }, async (platform) => {
      const { companyId, key } = await platform.company();
      const amount = sizes.tiny ? { requests: 1600, days: 8 } : { requests: 1_000_000, days: 90 };
      const seconds = await fill(platform, companyId, amount);
      const made = amount.requests.toLocaleString('en-US');
      console.log(`\nA1  ${made} requests in ${amount.days} days, inserted and rolled up in ${seconds.toFixed(1)} s`);
      for (const table of TABLES) console.log(`  ${String(await rowsIn(platform, table)).padStart(9)}  ${table}`);
      // A million rows in a minute are an artefact of the bench: the work that Postgres defers is excluded from the
      // measurement.
      await platform.sql.query(`VACUUM (ANALYZE) ${TABLES.map((table) => `traffic.${table}`).join(', ')}`);
      await platform.sql.query('CHECKPOINT');
      return measure(platform, key, sizes);
    }),
};
