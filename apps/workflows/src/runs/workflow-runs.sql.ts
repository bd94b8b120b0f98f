import { readStatement } from '@signalbox/database';
import { type StoredRuns, storedRuns, tablesOf, timelinePages } from '@signalbox/runs';
import { RUN_SCHEMA } from './run-schema.js';

const COLUMNS = `t.id, t.status, t.last_seq, t.has_secrets, t.workflow_id, t.workflow_ref_name, t.workflow_version,
  t.release, t.application_id, t.session_id, t.trigger, t.root_trigger, t.mode, t.attempts, t.parent_run_id,
  t.root_id, t.called_by, t.depth, t.ends_by, t.max_cost, t.lost_executions, t.work_kind`;

export const LOAD_RUN = readStatement(
  { index: ['application_names_pkey', 'runs_pkey'] },
  `SELECT x.* FROM s, LATERAL (SELECT ${COLUMNS}, t.snapshot, t.input, t.messages, t.params, t.metadata, t.secret_names,
     (SELECT n.application_name FROM workflows.application_names n
      WHERE n.company_id = t.company_id AND n.application_id = t.application_id) AS application_name
   FROM workflows.runs t WHERE t.company_id = s.company AND t.id = $2 OFFSET 0) x`,
);

export const STORED_RUNS: StoredRuns = storedRuns({
  tables: tablesOf(RUN_SCHEMA),
  columns: COLUMNS,
  timelineColumns: [],
  retention: { setting: 'workflow_runs', parts: ['workflows.run_results'] },
});

export const RUN_TIMELINE = timelinePages({ tables: STORED_RUNS.tables });
