import { txStatement } from '@signalbox/database';
import { TASK_RECORD } from '../tasks/index.js';

export const LOCK_TASKS = txStatement(
  { index: 'tasks_pkey' },
  'SELECT 1 FROM agents.tasks WHERE company_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE',
);

export const RECORD_OF_TASK = txStatement(
  { index: 'tasks_pkey' },
  `SELECT ${TASK_RECORD} FROM agents.tasks t WHERE t.company_id = $1 AND t.id = $2`,
);

export const FIND_TASK = txStatement(
  { index: 'tasks_pkey' },
  'SELECT id, status, parent_task_id, parent_step, last_seq FROM agents.tasks WHERE company_id = $1 AND id = $2',
);

export const NEXT_STEP = txStatement(
  { index: 'tasks_child' },
  `SELECT COALESCE(max(parent_step), 0) + 1 AS step FROM agents.tasks WHERE company_id = $1 AND parent_task_id = $2`,
);

export const OPEN_SESSION = txStatement(
  { index: 'sessions_key' },
  `INSERT INTO agents.sessions AS t (company_id, agent_id, session_id) VALUES ($1, $2, $3)
   ON CONFLICT (company_id, agent_id, session_id) WHERE deleted_at IS NULL
     DO UPDATE SET last_activity = EXCLUDED.last_activity
   RETURNING id, session_id, feedback_score, feedback_text, feedback_key_id, feedback_at`,
);

/** The work of no worker: the task runs elsewhere. */
const WORK_KIND = 'external_task';

/** The columns that every report of such a task gives. */
export const TOLD_COLUMNS = [
  'agent_id',
  'parent_task_id',
  'parent_step',
  'session_no',
  'session_id',
  'status',
  'version',
  'reported_version',
  'release',
  'application_id',
  'input_messages',
  'output',
  'metadata',
  'model',
  'iterations',
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'cost',
  'failure_class',
  'error_message',
  'started_at',
  'completed_at',
  'trigger',
  'depth',
] as const;

/** Inserts a task that runs elsewhere, or replaces what was told of it before. */
export const UPSERT_TASK = txStatement(
  { index: 'tasks_pkey' },
  `INSERT INTO agents.tasks (company_id, id, snapshot, max_iterations, has_secrets, work_kind, date_created, ${TOLD_COLUMNS.join(', ')})
     VALUES ($1, $2, '{}', 100, false, '${WORK_KIND}', $3, ${TOLD_COLUMNS.map((_, at) => `$${at + 4}`).join(', ')})
     ON CONFLICT (company_id, id) DO UPDATE SET ${TOLD_COLUMNS.map((name) => `${name} = EXCLUDED.${name}`).join(', ')}`,
);

export const DELETE_TIMELINE = txStatement(
  { index: 'task_timeline_of_task' },
  'DELETE FROM agents.task_timeline WHERE company_id = $1 AND task_id = $2',
);

export const INSERT_TIMELINE = txStatement(
  { index: null },
  `INSERT INTO agents.task_timeline (company_id, task_id, session_no, type, data, timestamp)
   SELECT $1, $2, $3, t, d::jsonb, a FROM unnest($4::text[], $5::text[], $6::bigint[]) WITH ORDINALITY u(t, d, a, n)
   ORDER BY n`,
);
