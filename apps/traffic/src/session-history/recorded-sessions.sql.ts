import { NOW_MS, readStatement, txStatement } from '@signalbox/database';
import { ERASED_CORRECTION, inChat } from '../request-records/index.js';

export const CLEAR_SESSION = txStatement(
  { index: ['requests_pkey', 'requests_session'] },
  `WITH said AS MATERIALIZED (SELECT t.request_id, t.date_created, t.objects IS NOT NULL AS aside
     FROM traffic.requests t WHERE t.company_id = $1 AND t.session_id = $2 AND ${inChat('t')} FOR NO KEY UPDATE),
   gone AS (UPDATE traffic.requests t SET params = '{}', response = NULL,
       corrected_response = ${ERASED_CORRECTION}, metadata = '{}', error_message = NULL, objects = NULL, date_updated = $3
     FROM said WHERE t.company_id = $1 AND t.request_id = said.request_id AND t.date_created = said.date_created)
   SELECT request_id, aside FROM said`,
);

export const WANTS_SUMMARY = readStatement(
  { index: ['applications_pkey', 'sessions_name'] },
  `SELECT x.* FROM s, LATERAL (SELECT 1 FROM traffic.sessions t
   JOIN traffic.applications a ON a.company_id = t.company_id AND a.id = t.application_id
   WHERE t.company_id = s.company AND t.session_id = $2 AND t.deleted_at IS NULL
     AND a.session_summaries AND a.deleted_at IS NULL OFFSET 0) x`,
);

export const SET_METADATA = txStatement(
  { index: 'sessions_pkey' },
  `UPDATE traffic.sessions SET metadata = $3, date_updated = ${NOW_MS} WHERE company_id = $1 AND id = $2`,
);

export const SET_SUMMARY = txStatement(
  { index: 'sessions_pkey' },
  `UPDATE traffic.sessions SET summary = $3, date_updated = ${NOW_MS} WHERE company_id = $1 AND id = $2`,
);

export const DELETE_SESSION = txStatement(
  { index: 'sessions_pkey' },
  `UPDATE traffic.sessions SET deleted_at = $3, metadata = '{}', summary = NULL, feedback_text = NULL,
     date_updated = ${NOW_MS} WHERE company_id = $1 AND id = $2`,
);
