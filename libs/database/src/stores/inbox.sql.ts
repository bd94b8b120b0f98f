import { perSchema, txStatement, workerStatement } from '../statement.js';

export const INBOX = perSchema('inbox', (inbox, schema) => ({
  record: txStatement(
    { index: null },
    `INSERT INTO ${inbox} (company_id, consumer, message_id)
     SELECT $1, $2, m FROM unnest($3::text[]) m ON CONFLICT DO NOTHING RETURNING message_id`,
  ),
  /** Attempt $3 of the message that $2 names, unless $4 others have not ended. */
  begin: txStatement(
    { index: 'inbox_pkey' },
    `INSERT INTO ${inbox} (company_id, consumer, message_id)
     SELECT $1, $2, $3 WHERE (SELECT count(*) FROM ${inbox} WHERE company_id = $1 AND consumer = $2) < $4::int
     RETURNING message_id`,
  ),
  end: workerStatement(
    { index: 'inbox_pkey' },
    `DELETE FROM ${inbox} WHERE company_id = $1 AND consumer = $2 AND message_id = $3`,
  ),
  deadLetter: workerStatement(
    { index: null },
    `INSERT INTO "${schema}".dead_letters (company_id, consumer, message_id, subject, payload, cause)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
  ),
}));
