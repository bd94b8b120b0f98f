/** SQL over the monitor `t`: the cost of its runs since 00:00 UTC. */
export const SPENT_TODAY = `(SELECT COALESCE(sum(b.cost), 0) FROM monitors.monitor_runs b
  WHERE b.company_id = t.company_id AND b.monitor_id = t.id
    AND b.date_created >= (extract(epoch from date_trunc('day', now() AT TIME ZONE 'UTC')) * 1000)::bigint)`;
