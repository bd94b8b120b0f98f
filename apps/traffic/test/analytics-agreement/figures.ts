import type { Grouping } from '@signalbox/contracts';
import { rate } from '../../src/analytics/metrics.js';
import type { AnalyticsFilter } from '../../src/analytics/rollups.sql.js';
import type { Span } from '../../src/analytics/time-buckets.js';
import type { RequestRecord } from '../../src/request-records/request-record.js';
import { open } from './fixture.js';

export interface Row extends RequestRecord {
  deleted_at: number | null;
  corrected_response: unknown;
  correction_applied: boolean;
  evaluation_status: string;
}

export async function rowsOf(companyId: number): Promise<Row[]> {
  const rows = await open.db.select<{ row: Row }>(
    companyId,
    'SELECT x.row FROM s, LATERAL (SELECT to_jsonb(t) AS row FROM traffic.requests t WHERE t.company_id = s.company OFFSET 0) x',
  );
  return rows.map(({ row }) => row);
}

export const EQUAL = ['application_id', 'intent_id', 'intent_group_id', 'agent_id', 'model'] as const;
export const BY: Record<Grouping, (row: Row) => string> = {
  none: () => 'all',
  application: (row) => String(row.application_id ?? 'none'),
  intent: (row) => String(row.intent_id ?? 'none'),
  intent_group: (row) => String(row.intent_group_id ?? 'none'),
  model: (row) => row.model,
  agent: (row) => String(row.agent_id ?? 'none'),
  release: (row) => row.release ?? 'none',
  workflow: (row) => String(row.workflow_id ?? 'none'),
};

export function matching(rows: Row[], { start, end }: Span, narrowing: AnalyticsFilter): Row[] {
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

export const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
export const listed = (rows: Row[]) => rows.filter(({ deleted_at }) => deleted_at === null).length;
export const costIn = (rows: Row[]) => {
  const priced = rows.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  return priced.length === 0 ? null : Number(sum(priced).toFixed(10));
};
export const faultsIn = (rows: Row[]) => {
  const count = (...states: string[]) => rows.filter((row) => states.includes(row.evaluation_status)).length;
  const evaluated = count('PASS', 'FAULT');
  return { evaluated, faults: count('FAULT'), errors: count('ERROR'), fault_rate: rate(count('FAULT'), evaluated) };
};
export const usageIn = (rows: Row[]) => ({
  prompt_tokens: sum(rows.map((row) => row.prompt_tokens)),
  completion_tokens: sum(rows.map((row) => row.completion_tokens)),
  total_tokens: sum(rows.map((row) => row.total_tokens)),
  cost: costIn(rows),
});
export function percentileIn(values: (number | null)[], share: number): number | null {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? null;
}
export const mean = (values: (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.round(sum(known) / known.length);
};
export const summaryIn = (rows: Row[]) => ({
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
