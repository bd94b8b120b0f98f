import { readStatement } from '@signalbox/database';
import { openRuns } from '@signalbox/runs';
import { STORED_RUNS } from './workflow-runs.sql.js';

export const FIND_CHILD = readStatement(
  { index: 'runs_child' },
  `SELECT x.* FROM s, LATERAL (SELECT t.id FROM workflows.runs t
   WHERE t.company_id = s.company AND t.parent_run_id = $2 AND t.call_key = $3 OFFSET 0) x`,
);

export const END_OF_CHILD = readStatement(
  { index: 'runs_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT t.id, t.workflow_id, t.status, t.output, t.error_message, t.failure_class,
     t.error_code FROM workflows.runs t
   WHERE t.company_id = s.company AND t.id = $2 OFFSET 0) x`,
);

export const OPEN_CHILDREN = openRuns(STORED_RUNS.tables, { index: 'runs_child' }, 't.parent_run_id = $2');
