import { companiesWith, txStatement, workerStatement } from '@signalbox/database';

export const BATCH = 1000;

export const COMPANIES_WITH_SESSIONS = workerStatement(
  { index: 'sessions_active' },
  companiesWith('traffic.sessions', 't.last_request_at < $1'),
);

export const DELETE_SESSIONS = txStatement(
  { index: ['sessions_active', 'sessions_pkey'] },
  `DELETE FROM traffic.sessions WHERE company_id = $1 AND last_request_at < $2 AND id = ANY (ARRAY(
   SELECT id FROM traffic.sessions WHERE company_id = $1 AND last_request_at < $2
   ORDER BY last_request_at LIMIT ${BATCH})) RETURNING 1`,
);
