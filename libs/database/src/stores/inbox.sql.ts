import { perSchema, txStatement, workerStatement } from '../statement.js';

export const INBOX = perSchema('inbox', (inbox, schema) => ({
  record: txStatement(
    { index: null },
    `INSERT INTO ${inbox} (company_id, consumer, message_id)
     SELECT $1, $2, m FROM unnest($3::text[]) m ON CONFLICT DO NOTHING RETURNING message_id`,
  ),
  deadLetter: workerStatement(
    { index: null },
    `INSERT INTO "${schema}".dead_letters (company_id, consumer, message_id, subject, payload, cause)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
  ),
}));
