import { txStatement } from '@signalbox/database';

export const LOCK_SESSION = txStatement(
  { index: 'sessions_name' },
  `SELECT t.* FROM traffic.sessions t
   WHERE t.company_id = $1 AND t.session_id = $2 AND t.deleted_at IS NULL FOR NO KEY UPDATE`,
);
