import { STATEMENT_MS } from '../schema/schema.js';
import { perSchema, txStatement, workerStatement } from '../statement.js';

const KEPT_MS = 3_600_000;
export const SLICE = 200;

export const UPLOAD_PARTS = perSchema('upload_parts', (parts) => ({
  store: txStatement(
    { index: null },
    `INSERT INTO ${parts} (company_id, upload_id, part, content) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
  ),
  read: txStatement(
    { index: 'upload_parts_pkey' },
    `SELECT content FROM ${parts} WHERE company_id = $1 AND upload_id = $2 AND part = $3`,
  ),
  remove: txStatement({ index: 'upload_parts_pkey' }, `DELETE FROM ${parts} WHERE company_id = $1 AND upload_id = $2`),
  deleteAbandoned: workerStatement(
    { index: ['upload_parts_created', 'upload_parts_pkey'] },
    `DELETE FROM ${parts} WHERE (company_id, upload_id, part) IN (
       SELECT company_id, upload_id, part FROM ${parts} WHERE date_created < ${STATEMENT_MS} - ${KEPT_MS} LIMIT ${SLICE})
     RETURNING 1`,
  ),
}));
