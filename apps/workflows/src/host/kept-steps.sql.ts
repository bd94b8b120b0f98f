import { readStatement } from '@signalbox/database';

export const RESULTS_OF_RUN = readStatement(
  { index: 'run_results_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT t.result FROM workflows.run_results t
   WHERE t.company_id = s.company AND t.run_id = $2 AND t.kind = 'step' AND t.name = $3 OFFSET 0) x`,
);
