import { readStatement } from '@signalbox/database';

/** Rows per statement. */
export const SLICE = 20_000;

/** Maximum of the bodies of a page, which only its first row may exceed. */
const PAGE_BYTES = 2_097_152;

export const KEYS_OF_CANDIDATES = readStatement(
  { index: 'dataset_requests_of_dataset' },
  `SELECT x.* FROM s, LATERAL (SELECT t.id, t.dataset_id, t.input_hash FROM training.dataset_requests t
   WHERE t.company_id = s.company AND t.dataset_id = ANY ($2::int[]) AND t.id > $3 AND t.deleted_at IS NULL
   ORDER BY t.id LIMIT ${SLICE} OFFSET 0) x`,
);

export const PAGE_OF_CANDIDATES = readStatement(
  { index: 'dataset_requests_of_dataset' },
  `SELECT x.* FROM s, LATERAL (
   SELECT b.n::int, b.found, b.id, b.dataset_id, b.body_bytes, b.messages::text, b.response::text, b.tools::text
   FROM (SELECT g.n, t.*, sum(t.body_bytes) OVER (ORDER BY g.n) - t.body_bytes AS before, count(*) OVER ()::int AS found
     FROM unnest($2::int[]) WITH ORDINALITY g(id, n)
     JOIN training.dataset_requests t ON t.company_id = s.company AND t.id = g.id
     WHERE t.deleted_at IS NULL OFFSET 0) b
   WHERE b.before < ${PAGE_BYTES} ORDER BY b.n OFFSET 0) x`,
);
