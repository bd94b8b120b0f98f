import { readStatement, txStatement } from '@signalbox/database';
import { ANSWERED_FIRST, ERASED_CORRECTION } from '../request-records/index.js';

const read = (columns: string) =>
  readStatement(
    { index: 'requests_pkey' },
    `SELECT x.* FROM s, LATERAL (SELECT ${columns}, t.objects FROM traffic.requests t
     WHERE t.company_id = s.company AND t.request_id = $2 AND t.deleted_at IS NULL
     ORDER BY ${ANSWERED_FIRST} LIMIT 1) x`,
  );

export const FIND_REQUEST = read('t.request_id');

export const FIND_RESPONSES = read('t.response, t.corrected_response');

export const FIND_CALL = read(
  't.application_id, t.intent_id, t.intent_group_id, t.reference_id, t.model, t.params, t.metadata, t.primary_model',
);

export const SET_CORRECTION = txStatement(
  { index: 'requests_pkey' },
  `UPDATE traffic.requests SET corrected_response = $3, date_updated = $4, objects = objects - 'corrected_response'
   WHERE company_id = $1 AND request_id = $2`,
);

export const CLEAR_REQUEST = txStatement(
  { index: 'requests_pkey' },
  `UPDATE traffic.requests SET params = '{}', response = NULL, corrected_response = ${ERASED_CORRECTION},
     objects = NULL, metadata = '{}', error_message = NULL, deleted_at = $3, date_updated = $3
   WHERE company_id = $1 AND request_id = $2`,
);

export const LOCK_REQUEST = txStatement(
  { index: 'requests_pkey' },
  `SELECT t.request_id, t.status, t.response IS NOT NULL AS has_response, t.corrected_response,
     COALESCE(t.objects ? 'corrected_response', false) AS correction_aside
   FROM traffic.requests t
   WHERE t.company_id = $1 AND t.request_id = $2 AND t.deleted_at IS NULL FOR NO KEY UPDATE`,
);

/** Without deleted requests, whose tags stay assigned. */
export const COUNT_TAGGED = readStatement(
  { index: ['request_tags_pkey', 'requests_deleted'] },
  `SELECT x.* FROM s, LATERAL (SELECT
     (SELECT count(DISTINCT a.request_id) FROM traffic.request_tags a
      WHERE a.company_id = s.company AND a.tag_id = ANY ($2::int[]) AND a.request_date >= $3 AND a.request_date < $4)
     - (SELECT count(*) FROM traffic.requests t
        WHERE t.company_id = s.company AND t.date_created >= $3 AND t.date_created < $4 AND t.deleted_at IS NOT NULL
          AND EXISTS (SELECT FROM traffic.request_tags a WHERE a.company_id = s.company AND a.request_id = t.request_id
            AND a.tag_id = ANY ($2::int[]) OFFSET 0)) AS total OFFSET 0) x`,
);
