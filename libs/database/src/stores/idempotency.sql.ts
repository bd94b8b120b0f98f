import { NOW_MS } from '../schema/schema.js';
import { perSchema, txStatement } from '../statement.js';

const DAY_MS = 86_400_000;
const OF_KEY = 'company_id = $1 AND route = $2 AND key = $3';

export const IDEMPOTENT_CALLS = perSchema('idempotency', (calls) => ({
  claim: txStatement(
    { index: null },
    `INSERT INTO ${calls} (company_id, route, key, body_hash, locked_until, holder)
     VALUES ($1, $2, $3, $4, ${NOW_MS} + $5::bigint, $6) ON CONFLICT DO NOTHING RETURNING 1`,
  ),
  lock: txStatement(
    { index: 'idempotency_pkey' },
    `SELECT body_hash, locked_until > ${NOW_MS} AS is_held, ${NOW_MS} - date_created > ${DAY_MS} AS is_forgotten,
       effect, status, reply FROM ${calls} WHERE ${OF_KEY} FOR UPDATE`,
  ),
  takeOver: txStatement(
    { index: 'idempotency_pkey' },
    `UPDATE ${calls} SET body_hash = $4, locked_until = ${NOW_MS} + $5::bigint, holder = $6, status = NULL, reply = NULL,
       effect = CASE WHEN $7 THEN NULL ELSE effect END, date_created = CASE WHEN $7 THEN ${NOW_MS} ELSE date_created END
     WHERE ${OF_KEY}`,
  ),
  prolong: txStatement(
    { index: 'idempotency_pkey' },
    `UPDATE ${calls} SET locked_until = ${NOW_MS} + $4::bigint
     WHERE ${OF_KEY} AND status IS NULL AND locked_until > 0 AND holder IS NOT DISTINCT FROM $5::uuid`,
  ),
  recordEffect: txStatement(
    { index: 'idempotency_pkey' },
    `UPDATE ${calls} SET effect = $4 WHERE ${OF_KEY} AND holder IS NOT DISTINCT FROM $5::uuid RETURNING 1`,
  ),
  free: txStatement(
    { index: 'idempotency_pkey' },
    `DELETE FROM ${calls} WHERE ${OF_KEY} AND holder IS NOT DISTINCT FROM $4::uuid AND effect IS NULL`,
  ),
  finish: txStatement(
    { index: 'idempotency_pkey' },
    `UPDATE ${calls} SET locked_until = 0, status = CASE WHEN $6::text IS NULL THEN NULL ELSE $5::int END, reply = $6
     WHERE ${OF_KEY} AND holder IS NOT DISTINCT FROM $4::uuid`,
  ),
}));
