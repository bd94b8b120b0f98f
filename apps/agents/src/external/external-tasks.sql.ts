import { type ArrayType, txStatement } from '@signalbox/database';
import { TASK_RECORD } from '../tasks/index.js';

/** In one order, so that two writes of related tasks do not deadlock. */
export const LOCK_TASKS = txStatement(
  { index: ['sessions_pkey', 'tasks_pkey'] },
  `SELECT id, status, session_no, parent_task_id, parent_step, last_seq,
     EXISTS (SELECT FROM agents.sessions s
       WHERE s.company_id = t.company_id AND s.id = t.session_no AND s.deleted_at IS NOT NULL) AS is_erased
   FROM agents.tasks t WHERE company_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE OF t`,
);

export const LAST_STEPS = txStatement(
  { index: 'tasks_child' },
  `SELECT parent_task_id AS id, max(parent_step) AS step FROM agents.tasks
   WHERE company_id = $1 AND parent_task_id = ANY ($2::uuid[]) GROUP BY parent_task_id`,
);

export const OPEN_SESSIONS = txStatement(
  { index: 'sessions_key' },
  `INSERT INTO agents.sessions AS t (company_id, agent_id, session_id)
   SELECT $1, a, s FROM unnest($2::int[], $3::text[]) u(a, s) ORDER BY a, s
   ON CONFLICT (company_id, agent_id, session_id) WHERE deleted_at IS NULL
     DO UPDATE SET last_activity = EXCLUDED.last_activity
   RETURNING id, agent_id, session_id, feedback_score, feedback_text, feedback_key_id, feedback_at`,
);

/** No worker claims this kind: the task runs elsewhere. */
const WORK_KIND = 'external_task';

export const REPORTED_COLUMNS = {
  agent_id: 'int',
  parent_task_id: 'text',
  parent_step: 'int',
  session_no: 'int',
  session_id: 'text',
  status: 'text',
  version: 'text',
  reported_version: 'text',
  release: 'text',
  application_id: 'int',
  input_messages: 'text',
  first_message: 'text',
  output: 'text',
  metadata: 'text',
  model: 'text',
  iterations: 'int',
  prompt_tokens: 'bigint',
  completion_tokens: 'bigint',
  total_tokens: 'bigint',
  cost: 'double precision',
  failure_class: 'text',
  error_message: 'text',
  started_at: 'bigint',
  completed_at: 'bigint',
  trigger: 'text',
  depth: 'int',
  last_seq: 'int',
} as const satisfies Record<string, ArrayType>;
const NAMES = Object.keys(REPORTED_COLUMNS) as (keyof typeof REPORTED_COLUMNS)[];

const CONVERTED: Partial<Record<keyof typeof REPORTED_COLUMNS, string>> = {
  parent_task_id: 'uuid',
  input_messages: 'jsonb',
  output: 'jsonb',
  metadata: 'jsonb',
};
const arraySql = (name: keyof typeof REPORTED_COLUMNS, at: number): string =>
  `$${at}::${REPORTED_COLUMNS[name]}[]${CONVERTED[name] ? `::${CONVERTED[name]}[]` : ''}`;

export const UPSERT_TASKS = txStatement(
  { index: 'tasks_pkey' },
  `INSERT INTO agents.tasks AS t (company_id, snapshot, max_iterations, has_secrets, work_kind, id, date_created, ${NAMES.join(', ')})
   SELECT $1::int, '{}', 100, false, '${WORK_KIND}', u.id, u.date_created, ${NAMES.map((name) => `u.${name}`).join(', ')}
   FROM unnest($2::uuid[], $3::bigint[], ${NAMES.map((name, at) => arraySql(name, at + 4)).join(', ')})
     WITH ORDINALITY u(id, date_created, ${NAMES.join(', ')}, n) ORDER BY n
   ON CONFLICT (company_id, id) DO UPDATE SET ${NAMES.map((name) => `${name} = EXCLUDED.${name}`).join(', ')}
   RETURNING ${TASK_RECORD}`,
);

export const DELETE_TIMELINES = txStatement(
  { index: 'task_timeline_of_task' },
  'DELETE FROM agents.task_timeline WHERE company_id = $1 AND task_id = ANY ($2::uuid[])',
);

export const INSERT_TIMELINES = txStatement(
  { index: null },
  `INSERT INTO agents.task_timeline (company_id, task_id, session_no, type, data, timestamp)
   SELECT $1, i, s, t, d, a
   FROM unnest($2::text[]::uuid[], $3::int[], $4::text[], $5::text[]::jsonb[], $6::bigint[])
     WITH ORDINALITY u(i, s, t, d, a, n) ORDER BY n`,
);
