import { readStatement } from '@signalbox/database';

export const LOGGED_BEFORE = readStatement(
  { index: 'run_events_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT count(*)::int AS entries,
     COALESCE(sum(octet_length(t.data->>'message')), 0)::int AS bytes FROM workflows.run_events t
   WHERE t.company_id = s.company AND t.run_id = $2 AND t.type = 'run.log' OFFSET 0) x`,
);
