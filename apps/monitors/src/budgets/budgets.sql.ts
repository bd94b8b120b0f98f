import { txStatement, readStatement } from '@signalbox/database';

/** 00:00 UTC of today, in epoch milliseconds of the database clock. */
export const TODAY = `(extract(epoch from date_trunc('day', now() AT TIME ZONE 'UTC')) * 1000)::bigint`;

export const ADD_COSTS = txStatement(
  { index: 'monitor_costs_pkey' },
  `INSERT INTO monitors.monitor_costs AS b (company_id, day, monitor_id, cost)
   SELECT $1, ${TODAY}, m, c FROM unnest($2::int[], $3::double precision[]) u(m, c) ORDER BY m
   ON CONFLICT (company_id, day, monitor_id) DO UPDATE SET cost = b.cost + EXCLUDED.cost`,
);

export const SPENT_UNTIL = readStatement(
  { index: 'monitor_costs_pkey' },
  `SELECT r.* FROM s, LATERAL (SELECT ${TODAY} AS today, COALESCE((SELECT b.cost FROM monitors.monitor_costs b
   WHERE b.company_id = s.company AND b.monitor_id = $2 AND b.day = ${TODAY}), 0) AS cost OFFSET 0) r`,
);
