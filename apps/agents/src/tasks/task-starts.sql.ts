import { txStatement, NOW_MS } from '@signalbox/database';
import { SESSION_STATES } from './task-view.sql.js';

export const STARTED = `json_build_object('started_at', t.started_at, 'active_since', t.active_since,
  'state', ${SESSION_STATES.state}, 'parent', ${SESSION_STATES.parent})`;

/** Bytes; earlier tasks with more input are left out of the history, so that sessions do not grow without limit. */
const MAX_REMEMBERED = 262_144;

export const EARLIER_TASK = txStatement(
  { index: ['tasks_open_of_session', 'tasks_pkey'] },
  `WITH earlier AS MATERIALIZED (
     SELECT e.id, t.date_created + $3::bigint - ${NOW_MS} AS left_ms
     FROM agents.tasks t JOIN agents.tasks e ON e.company_id = t.company_id AND e.session_no = t.session_no
       AND e.no < t.no AND e.depth >= t.depth AND e.parent_task_id IS NULL AND e.completed_at IS NULL
     WHERE t.company_id = $1 AND t.id = $2 ORDER BY e.no LIMIT 1
   ), held AS MATERIALIZED (
     SELECT e.id FROM agents.tasks e WHERE e.company_id = $1 AND e.id = (SELECT id FROM earlier)
       AND e.completed_at IS NULL FOR SHARE SKIP LOCKED
   ) SELECT left_ms, EXISTS (SELECT FROM held) AS held FROM earlier`,
);

export const HISTORY_OF_SESSION = txStatement(
  { index: 'tasks_of_session' },
  `SELECT t.input_messages, t.output FROM agents.tasks t
   WHERE t.company_id = $1 AND t.session_no = $2 AND t.status = 'COMPLETED' AND t.id <> $3
     AND pg_column_size(t.input_messages) < ${MAX_REMEMBERED} ORDER BY t.no DESC LIMIT $4`,
);
