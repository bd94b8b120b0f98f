/** The sum of the usage of executions `a`, as SQL; null when none is known, without a cost when one has no price. */
const USAGE = `CASE WHEN count(a.usage) > 0 THEN json_build_object(
    'prompt_tokens', sum((a.usage->>'prompt_tokens')::bigint), 'completion_tokens', sum((a.usage->>'completion_tokens')::bigint),
    'total_tokens', sum((a.usage->>'total_tokens')::bigint),
    'cost', CASE WHEN count(a.usage->>'cost') = count(a.usage) THEN sum((a.usage->>'cost')::float8) END) END`;

/** What the executions of a run that count have used, and the percentiles of their durations, as SQL over its alias. */
export const runTotals = (run: string): string => `(SELECT json_build_object('usage', ${USAGE}, 'duration_ms',
    CASE WHEN count(*) > 0 THEN json_build_object('p50', percentile_cont(0.5) WITHIN GROUP (ORDER BY a.duration_ms),
      'p95', percentile_cont(0.95) WITHIN GROUP (ORDER BY a.duration_ms)) END)
  FROM "test-runs".run_attempts a WHERE a.company_id = ${run}.company_id AND a.run_id = ${run}.id AND a.is_current)`;

/** The totals of a run `t`: kept once it is completed. */
const KEPT = `CASE WHEN t.status = 'COMPLETED' AND t.totals IS NOT NULL THEN t.totals ELSE ${runTotals('t')} END`;

/** The fields of a run `t` that say what it has used. */
export const TOTAL_FIELDS: Readonly<Record<string, string>> = {
  usage: `(${KEPT})->'usage'`,
  cost: `((${KEPT})->'usage'->>'cost')::float8`,
  duration_ms: `(${KEPT})->'duration_ms'`,
};

/** What the executions of an item that count have used, as SQL over its alias. */
export const itemUsage = (item: string): string => `(SELECT ${USAGE} FROM "test-runs".run_attempts a
  WHERE a.company_id = ${item}.company_id AND a.run_item_id = ${item}.id AND a.is_current)`;

/** How an item `t` of a run ended, as SQL. */
export const ITEM_OUTCOME = `CASE WHEN t.status = 'FAILED' THEN 'ERROR' WHEN t.status <> 'COMPLETED' THEN NULL
  WHEN t.matched THEN 'PASS' WHEN NOT t.matched THEN 'FAIL' END`;
