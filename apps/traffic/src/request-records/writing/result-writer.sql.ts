import { txStatement } from '@signalbox/database';
import { inChat } from '../requests.sql.js';

const EVENT_FIELDS = `t.id, t.evaluation_request_id, t.evaluation_id, t.request_id, t.session_id, t.application_id,
  t.intent_id, t.intent_group_id, t.sentinel_id, t.sentinel_name, t.severity, t.status, t.failure_class, t.confidence,
  t.eval_time_ms, t.usage, t.date_created`;

export const RETIRE_RESULTS = txStatement(
  { index: 'evaluation_results_current' },
  `UPDATE traffic.evaluation_results SET is_current = false
   WHERE company_id = $1 AND request_id = $2 AND sentinel_id = ANY ($3::int[]) AND is_current`,
);

export const REPLACE_RESULT = txStatement(
  { index: 'evaluation_results_pkey' },
  `UPDATE traffic.evaluation_results t SET status = u.status, failure_class = u.failure_class,
     description = u.description, confidence = u.confidence, correction = u.correction,
     eval_time_ms = u.eval_time_ms, usage = u.usage
   FROM json_to_record($3::json) u(status text, failure_class text, description text, confidence double precision,
     correction text, eval_time_ms bigint, usage jsonb)
   WHERE t.company_id = $1 AND t.id = $2 RETURNING ${EVENT_FIELDS}`,
);

export const CURRENT_VERDICTS = txStatement(
  { index: 'evaluation_results_current' },
  'SELECT status FROM traffic.evaluation_results WHERE company_id = $1 AND request_id = $2 AND is_current',
);

export const SET_STATE = txStatement(
  { index: 'requests_pkey' },
  `UPDATE traffic.requests SET evaluation_status = $4, date_updated = $5
   WHERE company_id = $1 AND request_id = $2 AND date_created = $3`,
);

export const ADD_FAULTS = txStatement(
  { index: 'sessions_name' },
  `UPDATE traffic.sessions SET fault_count = fault_count + $3
   WHERE company_id = $1 AND session_id = $2 AND deleted_at IS NULL`,
);

export const LOCK_JUDGED = txStatement(
  { index: ['applications_pkey', 'intents_pkey', 'requests_pkey'] },
  `SELECT t.evaluation_status AS status, ${inChat('t')} AS in_chat, t.deleted_at IS NOT NULL AS deleted, t.session_id,
     t.application_id, t.intent_id, t.intent_group_id,
     COALESCE((SELECT a.fault_notifications FROM traffic.applications a
       WHERE a.company_id = t.company_id AND a.id = t.application_id), false)
     OR COALESCE((SELECT i.notifications_enabled FROM traffic.intents i
       WHERE i.company_id = t.company_id AND i.id = t.intent_id), false) AS notifies
   FROM traffic.requests t WHERE t.company_id = $1 AND t.request_id = $2 AND t.date_created = $3 FOR NO KEY UPDATE OF t`,
);

export const INSERT_RESULTS = txStatement(
  { index: null },
  `WITH t AS (
     INSERT INTO traffic.evaluation_results (company_id, id, evaluation_request_id, evaluation_id, request_id,
       request_date, session_id, application_id, intent_id, intent_group_id, sentinel_id, sentinel_name, severity,
       status, failure_class, description, confidence, correction, eval_time_ms, usage, is_current)
     SELECT $1, COALESCE(u.id, nextval('traffic.evaluation_results_id_seq')), $2::uuid, $3::int, $4::uuid, $5::bigint,
       $6::text, $7::int, $8::int, $9::int, u.sentinel_id, u.sentinel_name, u.severity, u.status, u.failure_class,
       u.description, u.confidence, u.correction, u.eval_time_ms, u.usage, u.is_current
     FROM json_to_recordset($10::json) u(id bigint, sentinel_id int, sentinel_name text, severity int, status text,
       failure_class text, description text, confidence double precision, correction text, eval_time_ms bigint,
       usage jsonb, is_current boolean)
     RETURNING *)
   SELECT ${EVENT_FIELDS} FROM t ORDER BY t.id`,
);
