import { txStatement } from '@signalbox/database';

export const LOCK_NEWEST_TASK = txStatement(
  { index: 'tasks_of_session' },
  `SELECT t.id, t.session_no, t.last_seq, t.status FROM agents.tasks t
   WHERE t.company_id = $1 AND t.session_no = $2 ORDER BY t.no DESC LIMIT 1 FOR UPDATE`,
);
