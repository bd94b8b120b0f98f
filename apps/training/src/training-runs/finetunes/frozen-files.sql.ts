import { txStatement, readStatement } from '@signalbox/database';

/** Maximum of a page, which only its first line may exceed. */
const PAGE_BYTES = 2_097_152;

const PAGE_ROWS = 500;

export const FREEZE_ROWS = txStatement(
  { index: 'dataset_requests_pkey' },
  `WITH frozen AS (
     INSERT INTO training.finetune_rows (company_id, run_id, split, position, copies, line)
     SELECT $1, $2, $3, $4 + g.n, g.copies, '{"messages":' || left(rtrim(t.messages::text), -1) || ',' || t.response::text
       || ']' || CASE WHEN t.tools IS NULL THEN '' ELSE ',"tools":' || t.tools::text END || '}'
     FROM unnest($5::int[], $6::int[]) WITH ORDINALITY g(id, copies, n)
     JOIN training.dataset_requests t ON t.company_id = $1 AND t.id = g.id AND t.deleted_at IS NULL
     RETURNING copies, octet_length(line) + 1 AS bytes)
   SELECT COALESCE(sum(copies), 0)::int AS lines, COALESCE(sum(copies * bytes), 0)::bigint AS bytes FROM frozen`,
);

export const PAGE_OF_FILE = readStatement(
  { index: 'finetune_rows_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT b.position, b.line FROM (
     SELECT r.*, sum(octet_length(r.line)) OVER (ORDER BY r.position) - octet_length(r.line) AS before FROM (
       SELECT position, line FROM training.finetune_rows WHERE company_id = s.company AND run_id = $2 AND split = $3
         AND copies >= $4 AND position > $5 ORDER BY position LIMIT ${PAGE_ROWS}) r) b
   WHERE b.before < ${PAGE_BYTES} ORDER BY b.position OFFSET 0) x`,
);
