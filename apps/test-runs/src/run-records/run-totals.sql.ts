/** Null when no usage is known, without a cost when one has no price. */
const USAGE = `CASE WHEN count(a.usage) > 0 THEN json_build_object(
    'prompt_tokens', sum((a.usage->>'prompt_tokens')::bigint), 'completion_tokens', sum((a.usage->>'completion_tokens')::bigint),
    'total_tokens', sum((a.usage->>'total_tokens')::bigint),
    'cost', CASE WHEN count(a.usage->>'cost') = count(a.usage) THEN sum((a.usage->>'cost')::float8) END) END`;

/** Only executions that count. */
export const runTotals = (run: string): string => `(SELECT json_build_object('usage', ${USAGE}, 'duration_ms',
    CASE WHEN count(*) > 0 THEN json_build_object('p50', percentile_cont(0.5) WITHIN GROUP (ORDER BY a.duration_ms),
      'p95', percentile_cont(0.95) WITHIN GROUP (ORDER BY a.duration_ms)) END)
  FROM "test-runs".run_attempts a WHERE a.company_id = ${run}.company_id AND a.run_id = ${run}.id AND a.is_current)`;

/** Stored once the run is completed. */
const KEPT = `CASE WHEN t.status = 'COMPLETED' AND t.totals IS NOT NULL THEN t.totals ELSE ${runTotals('t')} END`;

export const TOTAL_FIELDS: Readonly<Record<string, string>> = {
  usage: `(${KEPT})->'usage'`,
  cost: `((${KEPT})->'usage'->>'cost')::float8`,
  duration_ms: `(${KEPT})->'duration_ms'`,
};

export const itemUsage = (item: string): string => `(SELECT ${USAGE} FROM "test-runs".run_attempts a
  WHERE a.company_id = ${item}.company_id AND a.run_item_id = ${item}.id AND a.is_current)`;

export const ITEM_OUTCOME = `CASE WHEN t.status = 'FAILED' THEN 'ERROR' WHEN t.status <> 'COMPLETED' THEN NULL
  WHEN t.matched THEN 'PASS' WHEN NOT t.matched THEN 'FAIL' END`;
