import type { Latency, LatencyPoint, RequestVolume, UsageOverTime } from '@signalbox/sdk';

export const GROUPS = {
  none: 'everything',
  model: 'model',
  agent: 'agent',
  release: 'release',
  application: 'application',
  workflow: 'workflow',
} as const;
export type Group = keyof typeof GROUPS;

export const LATENCIES = { p95: 'p95', p50: 'p50', first: 'first token, p50' } as const;
export type LatencyName = keyof typeof LATENCIES;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
export const USAGE_SPANS = {
  '24h': { label: 'last 24 hours', ms: DAY, bucket: 'hour' },
  '7d': { label: 'last 7 days', ms: 7 * DAY, bucket: 'day' },
  '30d': { label: 'last 30 days', ms: 30 * DAY, bucket: 'day' },
  '90d': { label: 'last 90 days', ms: 90 * DAY, bucket: 'week' },
} as const;
export type UsageSpan = keyof typeof USAGE_SPANS;
export type UsageBucket = (typeof USAGE_SPANS)[UsageSpan]['bucket'];
const LENGTHS: Record<UsageBucket, number> = { hour: HOUR, day: DAY, week: 7 * DAY };

export interface UsageSample {
  requests: number;
  tokens: number;
  cost: number | null;
  p50: number | null;
  p95: number | null;
  first: number | null;
}

export interface UsageLine {
  key: string;
  label: string;
  samples: UsageSample[];
  requests: number;
  tokens: number;
  cost: number | null;
  /** Of the slowest bucket: percentiles cannot be combined. */
  worstP95: number | null;
}

export interface UsageTable {
  times: number[];
  lines: UsageLine[];
}

const sumOf = (values: readonly (number | null)[]): number | null =>
  values.every((value) => value === null) ? null : values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
const mostOf = (values: readonly (number | null)[]): number | null =>
  values.reduce((most, value) => (value !== null && (most === null || value > most) ? value : most), null);

export function usageTable(volume: RequestVolume, usage: UsageOverTime, latency: Latency): UsageTable {
  const used = new Map(usage.series.map(({ key, points }) => [key, points]));
  const times = volume.series[0]?.points.map(({ timestamp }) => timestamp) ?? [];
  const latencies = new Map(latency.series.map(({ key, points }) => [key, points]));
  const lines = volume.series.map(({ key, label, points }) => {
    const samples = points.map(({ count }, n): UsageSample => {
      const tokens = used.get(key)?.[n];
      const times: LatencyPoint | undefined = latencies.get(key)?.[n];
      return {
        requests: count,
        tokens: tokens?.total_tokens ?? 0,
        cost: tokens?.cost ?? null,
        p50: times?.p50_ms ?? null,
        p95: times?.p95_ms ?? null,
        first: times?.first_token_p50_ms ?? null,
      };
    });
    return {
      key,
      label,
      samples,
      requests: samples.reduce((sum, { requests }) => sum + requests, 0),
      tokens: samples.reduce((sum, { tokens }) => sum + tokens, 0),
      cost: sumOf(samples.map(({ cost }) => cost)),
      worstP95: mostOf(samples.map(({ p95 }) => p95)),
    };
  });
  return { times, lines: lines.sort((a, b) => b.requests - a.requests) };
}

export interface Mover {
  key: string;
  label: string;
  cost: number;
  costBefore: number;
  requests: number;
  requestsBefore: number;
}

/** By the change of cost since the previous span, then by requests. */
export function moversOf(now: UsageTable, before: UsageTable): Mover[] {
  const lines = new Map<string, Mover>();
  const none = { cost: 0, costBefore: 0, requests: 0, requestsBefore: 0 };
  for (const { key, label, cost, requests } of now.lines)
    lines.set(key, { ...none, key, label, cost: cost ?? 0, requests });
  for (const { key, label, cost, requests } of before.lines)
    lines.set(key, { ...(lines.get(key) ?? { ...none, key, label }), costBefore: cost ?? 0, requestsBefore: requests });
  const change = ({ cost, costBefore }: Mover): number => Math.abs(cost - costBefore);
  const requests = ({ requests: are, requestsBefore: were }: Mover): number => Math.abs(are - were);
  return [...lines.values()]
    .filter((mover) => change(mover) > 0 || requests(mover) > 0)
    .sort((a, b) => change(b) - change(a) || requests(b) - requests(a));
}

export function changeWords(now: number, before: number): string {
  if (before === 0) return now === 0 ? 'no change' : 'new';
  if (now === 0) return 'gone';
  const share = Math.round(((now - before) / before) * 100);
  return share === 0 ? 'no change' : `${share > 0 ? '+' : '−'}${Math.abs(share)} %`;
}

/** For one key of a grouping. */
const FILTERS: Record<Group, (key: string) => Record<string, string>> = {
  none: () => ({ kind: 'Requests' }),
  model: (model) => ({ kind: 'Requests', model }),
  application: (application_id) => ({ kind: 'Requests', application_id }),
  agent: (agent_id) => ({ agent_id }),
  release: (release) => ({ release }),
  workflow: (workflow_id) => ({ kind: 'Workflows', workflow_id }),
};

/** The filters of the page of usage that each list of runs has, too. */
const NARROWED_BY: Record<string, readonly string[]> = {
  Agents: ['agent_id'],
  Workflows: [],
  Requests: ['application_id', 'model'],
};

/** Key of what belongs to no group. */
export const NO_GROUP = 'none';

/**
 * The requests of a point, or the runs of its agent, release or workflow, most expensive first; null where no filter of
 * the lists selects them.
 */
export function pointPath(
  group: Group,
  key: string,
  start: number,
  bucket: UsageBucket,
  narrowing: Record<string, string> = {},
): string | null {
  if (key === NO_GROUP && group !== 'none' && group !== 'model') return null;
  const filters = FILTERS[group](key);
  const known = NARROWED_BY[filters.kind ?? 'Agents'] ?? [];
  if (Object.keys(narrowing).some((name) => !known.includes(name))) return null;
  const end = start + LENGTHS[bucket];
  const query = new URLSearchParams({ ...narrowing, ...filters, start_date: String(start), end_date: String(end) });
  query.set('sort', '-cost');
  return `/runs?${query.toString()}`;
}

const quoted = (value: string | number | null): string => {
  const text = value === null ? '' : String(value);
  // A spreadsheet would take it for a formula.
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export function usageCsv(table: UsageTable, nameOf: (line: UsageLine) => string): string {
  const head = ['from', 'key', 'name', 'requests', 'tokens', 'cost_usd', 'p50_ms', 'p95_ms', 'first_token_p50_ms'];
  const rows = table.lines.flatMap((line) =>
    line.samples.map(({ requests, tokens, cost, p50, p95, first }, n) => {
      const from = new Date(table.times[n] ?? 0).toISOString();
      return [from, line.key, nameOf(line), requests, tokens, cost, p50, p95, first].map(quoted).join(',');
    }),
  );
  return [head.join(','), ...rows].join('\r\n') + '\r\n';
}
