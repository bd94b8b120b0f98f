import { readStatement, NOW_MS } from '@signalbox/database';
import { RUNNING_COLUMNS, ENDED_COLUMNS } from './task-view.sql.js';

export const FIND_AGENT = readStatement(
  { index: 'agents_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT t.status, t.kind, t.application_id FROM agents.agents t
   WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
);

export const PROMPT_OF_TASK = readStatement(
  { index: 'tasks_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT t.snapshot->>'system_prompt' AS system_prompt FROM agents.tasks t
   WHERE t.company_id = s.company AND t.id = $2 OFFSET 0) x`,
);

/**
 * Before its last callback a task has worked as long as its steps took. In a table with rows, the children of the task
 * are found by `tasks_child`.
 */
export const LOAD_TASK = readStatement(
  { index: ['sessions_pkey', 'task_steps_pkey', 'tasks_pkey'] },
  `SELECT x.* FROM s, LATERAL (SELECT ${RUNNING_COLUMNS},
     (SELECT COALESCE(json_agg(json_build_object('status', p.status, 'result', p.result)
        ORDER BY p.step_no), '[]'::json)
      FROM agents.task_steps p WHERE p.company_id = s.company AND p.task_id = t.id) AS steps,
     (SELECT ${NOW_MS} - COALESCE(t.active_since, ${NOW_MS})
        - COALESCE(sum(COALESCE(c.completed_at, ${NOW_MS}) - c.date_created), 0)::bigint FROM agents.tasks c
      WHERE c.company_id = s.company AND c.parent_task_id = t.id AND c.date_created >= t.active_since)
      + (SELECT COALESCE(sum(p.duration_ms), 0)::bigint FROM agents.task_steps p
         WHERE p.company_id = s.company AND p.task_id = t.id AND p.date_created < t.active_since
           AND NOT COALESCE((p.result->>'background')::boolean, false)) AS worked_ms
   FROM agents.tasks t WHERE t.company_id = s.company AND t.id = $2 OFFSET 0) x`,
);

export const LAST_STREAMED_STEP = readStatement(
  { index: 'task_events_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT (t.data->>'step')::int AS step FROM agents.task_events t
   WHERE t.company_id = s.company AND t.task_id = $2 AND t.type = 'message.delta' ORDER BY t.seq DESC LIMIT 1 OFFSET 0) x`,
);

export const STATUS_OF_TASK = readStatement(
  { index: 'tasks_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT t.status FROM agents.tasks t
   WHERE t.company_id = s.company AND t.id = $2 OFFSET 0) x`,
);

export const COST_OF_TASK = readStatement(
  { index: 'tasks_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT t.cost FROM agents.tasks t
   WHERE t.company_id = s.company AND t.id = $2 OFFSET 0) x`,
);

export const ENDED_TASK = readStatement(
  { index: 'tasks_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT ${ENDED_COLUMNS} FROM agents.tasks t
   WHERE t.company_id = s.company AND t.id = $2
     AND (t.completed_at IS NOT NULL OR ($3 AND t.status = 'WAITING_WEBHOOK')) OFFSET 0) x`,
);

export const CHILD_OF_STEP = readStatement(
  { index: 'tasks_child' },
  `SELECT x.* FROM s, LATERAL (SELECT ${ENDED_COLUMNS} FROM agents.tasks t
   WHERE t.company_id = s.company AND t.parent_task_id = $2 AND t.parent_step = $3 OFFSET 0) x`,
);

export const SESSION_OF_TASK = readStatement(
  { index: 'tasks_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT t.id AS task_id, t.session_id FROM agents.tasks t
   WHERE t.company_id = s.company AND t.id = $2 OFFSET 0) x`,
);

export const SIZE_OF_STATE = readStatement(
  { index: 'sessions_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT octet_length((t.state || $3::jsonb)::text) AS size FROM agents.sessions t
   WHERE t.company_id = s.company AND t.id = $2 OFFSET 0) x`,
);
