const LIMIT = `(v.snapshot->'config'->'limits'->>'max_cost_per_day')::double precision`;

/**
 * SQL over a monitor `t` and its version `v`: whether the cost of its runs since 00:00 UTC has reached the limit of the
 * version. Runs are summed only for a version that has one.
 */
export const IS_BUDGET_SPENT = `CASE WHEN ${LIMIT} IS NULL THEN false ELSE (SELECT COALESCE(sum(b.cost), 0) FROM monitors.monitor_runs b
  WHERE b.company_id = t.company_id AND b.monitor_id = t.id
    AND b.date_created >= (extract(epoch from date_trunc('day', now() AT TIME ZONE 'UTC')) * 1000)::bigint) >= ${LIMIT} END`;
