import { readStatement, txStatement } from '@signalbox/database';

export const OPEN_TASK = readStatement(
  { index: 'tasks_open' },
  `SELECT x.* FROM s, LATERAL (SELECT 1 FROM agents.tasks t WHERE t.company_id = s.company AND t.session_no = $2
   AND t.completed_at IS NULL LIMIT 1 OFFSET 0) x`,
);

/** Tasks of the session per transaction, with all tasks below them. */
const BATCH = 50;

/** Types of the timeline that repeat what was said. */
const SAID = `('message', 'action_invoked', 'action_result', 'state_update')`;

/** Tasks that ran elsewhere may have no input. The LIMIT keeps the planner from reading the timelines of all tasks. */
export const FAMILY_OF_TASKS = txStatement(
  { index: ['task_timeline_of_task', 'tasks_child', 'tasks_of_session'] },
  `WITH RECURSIVE family AS (
    (SELECT t.id FROM agents.tasks t WHERE t.company_id = $1 AND t.session_no = $2 AND t.completed_at IS NOT NULL
       AND (t.input_messages <> '[]' OR t.output IS NOT NULL OR (SELECT true FROM agents.task_timeline l
         WHERE l.company_id = t.company_id AND l.task_id = t.id AND l.type IN ${SAID} LIMIT 1))
     ORDER BY t.no LIMIT ${BATCH})
    UNION
    SELECT c.id FROM family f JOIN agents.tasks c ON c.company_id = $1 AND c.parent_task_id = f.id
  ) SELECT id FROM family`,
);

export const EMPTY_TASKS = txStatement(
  { index: 'tasks_pkey' },
  `UPDATE agents.tasks SET input_messages = '[]', first_message = '', history = '[]', output = NULL,
     structured_output = NULL
   WHERE company_id = $1 AND id = ANY($2::uuid[])`,
);

const OF_FAMILY = 'company_id = $1 AND task_id = ANY($2::uuid[])';

export const DELETE_STEPS = txStatement(
  { index: 'task_steps_pkey' },
  `DELETE FROM agents.task_steps WHERE ${OF_FAMILY}`,
);

export const DELETE_TIMELINE = txStatement(
  { index: 'task_timeline_of_task' },
  `DELETE FROM agents.task_timeline WHERE ${OF_FAMILY} AND type IN ${SAID}`,
);

export const EMPTY_EVENTS = txStatement(
  { index: 'task_events_pkey' },
  `WITH gone AS (DELETE FROM agents.task_events WHERE ${OF_FAMILY} RETURNING *)
   INSERT INTO agents.task_events (company_id, task_id, seq, type, data, timestamp)
   SELECT company_id, task_id, seq, type, data - '{content,arguments,output,changes,result}'::text[], timestamp FROM gone`,
);

export const EMPTY_STATE = txStatement(
  { index: 'sessions_pkey' },
  `UPDATE agents.sessions SET state = '{}' WHERE company_id = $1 AND id = $2`,
);
