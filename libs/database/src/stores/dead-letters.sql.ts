import { OUTBOX_LETTERS } from '@signalbox/platform';
import { perSchema, workerStatement } from '../statement.js';
import { MEASURED_ROWS } from './work.sql.js';

export const DEAD_LETTERS = perSchema('dead_letters', (letters, schema) => ({
  list: workerStatement(
    { index: 'dead_letters_pkey' },
    `SELECT id, company_id, consumer, message_id, subject, cause, octet_length(payload) AS bytes, date_created
     FROM ${letters} WHERE id > $1 AND ($2::text IS NULL OR consumer = $2) ORDER BY id LIMIT $3`,
  ),
  read: workerStatement(
    { index: 'dead_letters_pkey' },
    `SELECT id, company_id AS "companyId", consumer, message_id AS "messageId", subject, payload
     FROM ${letters} WHERE id = $1`,
  ),
  requeue: workerStatement(
    { index: 'dead_letters_pkey' },
    `WITH gone AS (DELETE FROM ${letters} WHERE id = $1 AND consumer = '${OUTBOX_LETTERS}'
       RETURNING company_id, message_id, subject, payload)
     INSERT INTO "${schema}".outbox (message_id, company_id, subject, payload)
     SELECT message_id::uuid, company_id, subject, payload FROM gone RETURNING 1`,
  ),
  measure: workerStatement(
    { index: 'dead_letters_consumer_message_id_key' },
    `SELECT consumer AS name, count(*)::int AS n FROM (SELECT consumer FROM ${letters} LIMIT ${MEASURED_ROWS}) l GROUP BY consumer`,
  ),
  drop: workerStatement(
    { index: 'dead_letters_pkey' },
    `DELETE FROM ${letters} WHERE id = ANY($1::bigint[]) RETURNING id`,
  ),
}));
