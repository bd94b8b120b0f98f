import { readStatement } from '@signalbox/database';

export const FIND_SESSION = readStatement(
  { index: 'sessions_name' },
  `SELECT x.* FROM s, LATERAL (SELECT t.* FROM traffic.sessions t
   WHERE t.company_id = s.company AND t.session_id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
);
