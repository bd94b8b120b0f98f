import { CONTRACTS, openApi } from '@signalbox/contracts';
import type { Platform } from '@signalbox/testing';
import { fill } from '../analytics/traffic.js';
import type { Bench, Sizes } from '../bench.js';
import { reportAlone, type Verdict } from '../measure/report.js';
import { fillTasks } from './tasks.js';

const DAY = 86_400_000;
const PATHS = ['/requests', '/sessions', '/agents/tasks'];
const SORTS = 'date_created date_updated duration_ms cost response_time_ms total_tokens model last_request_at'.split(
  ' ',
);

interface Parameter {
  name: string;
  schema: { type?: string; enum?: string[]; items?: { enum?: string[] } };
}

/** A value for a filter that some rows have. */
function valueOf({ name, schema }: Parameter, now: number): string | null {
  const known: Record<string, unknown> = {
    start_date: now - 7 * DAY,
    end_date: now - 7 * DAY,
    text: 'question',
    search: 'session',
    session_id: 'session 7',
    model: 'model-2',
    release: 'production',
    version: '1.2.0',
    min_duration_ms: 10_000,
    min_cost: 0.04,
    failure_class: 'timeout',
    error_code: 'timeout',
    trigger: 'TEST',
    status: 'FAILED',
    tag_ids: 1,
    request_type: 'PROD',
    evaluation_status: 'FAULT',
    application_id: 3,
    agent_id: 3,
    origin_id: 'nothing',
    reference_id: 'nothing',
  };
  if (['offset', 'limit', 'sort', 'include_body'].includes(name)) return null;
  const value = known[name] ?? schema.enum?.[0] ?? (schema.type === 'boolean' ? true : 1);
  return `${name}=${encodeURIComponent(String(value))}`;
}

/** Every filter and sort of the lists, as the served document has them. */
function queries(now: number): string[] {
  const { paths } = openApi(CONTRACTS) as { paths: Record<string, { get: { parameters: Parameter[] } }> };
  return PATHS.flatMap((path) => {
    const parameters = paths[path]?.get.parameters ?? [];
    const filters = parameters.flatMap((each) => valueOf(each, now) ?? []);
    return ['', ...filters, ...SORTS.map((sort) => `sort=-${sort}`)].map((query) => `${path}?limit=25&${query}`);
  });
}

/** Times of one list; of several, a first one is discarded. Null for a sort that the list does not have. */
async function timesOf(platform: Platform, key: string, path: string, times: number): Promise<number[] | null> {
  const found: number[] = [];
  for (let time = times > 1 ? -1 : 0; time < times; time++) {
    const began = performance.now();
    const reply = await fetch(`${platform.baseUrl}${path}`, { headers: { 'x-service-api-key': key } });
    const text = await reply.text();
    if (reply.status === 400 && path.includes('sort=')) return null;
    // A list that takes longer than a statement may is the slowest of all.
    if (reply.status !== 200) console.log(`  ${path}: ${reply.status} ${text.slice(0, 120)}`);
    if (time >= 0) found.push(performance.now() - began);
  }
  return found.sort((a, b) => a - b);
}

async function measure(platform: Platform, key: string, { tiny }: Sizes): Promise<Verdict[]> {
  let slowest = { path: '', p95: 0 };
  console.log(`\n  ${'p50 ms'.padStart(8)}${'p95 ms'.padStart(8)}`);
  for (const path of queries(Date.now())) {
    const times = await timesOf(platform, key, path, tiny ? 1 : 6);
    if (times === null) continue;
    const [p50, p95] = [0.5, 0.95].map((share) => times[Math.ceil(share * times.length) - 1] ?? NaN) as [
      number,
      number,
    ];
    console.log(`  ${p50.toFixed(0).padStart(8)}${p95.toFixed(0).padStart(8)}  ${path}`);
    if (p95 > slowest.p95) slowest = { path, p95 };
  }
  const goal = { id: 'P20', what: `lists, slowest p95: ${slowest.path}`, unit: 'ms', better: 'less' } as const;
  return [reportAlone({ ...goal, must: 500, aim: 150 }, [slowest.p95])];
}

/** Time to a page of the largest lists, with each of their filters and sorts. */
export const lists: Bench = {
  name: 'lists',
  description:
    'P20: every filter and sort of lists at 5,000,000 requests and 2,000,000 tasks; --items=N for N requests',
  run: (sizes) =>
    sizes.setups.onPlatform({ services: ['accounts', 'traffic', 'agents', 'gateway'] }, async (platform) => {
      const { companyId, key } = await platform.company();
      const requests = sizes.items ?? (sizes.tiny ? 3000 : 5_000_000);
      const tasks = Math.round(requests * 0.4);
      const seconds = [
        await fill(platform, companyId, { requests, days: sizes.tiny ? 8 : 90 }),
        await fillTasks(platform, companyId, tasks),
      ].map((each) => each.toFixed(0));
      await platform.sql.query('VACUUM (ANALYZE) traffic.requests');
      console.log(`\nP20  ${requests} requests and ${tasks} tasks, inserted in ${seconds.join(' and ')} s`);
      return measure(platform, key, sizes);
    }),
};
