import { readStatement } from '@signalbox/database';

/** Maximum of the bodies of a page, which only its first row may exceed. */
const PAGE_BYTES = 2_097_152;

const PAGE_ROWS = 500;

export const PAGE_OF_ROWS = readStatement(
  { index: 'dataset_requests_of_dataset' },
  `SELECT x.* FROM s, LATERAL (
   SELECT t.id, t.messages::text, t.response::text, t.tools::text
   FROM (SELECT i.*, sum(i.body_bytes) OVER (ORDER BY i.id) - i.body_bytes AS before FROM (
       SELECT * FROM training.dataset_requests WHERE company_id = s.company AND dataset_id = $2
         AND id > $3 AND deleted_at IS NULL ORDER BY id LIMIT ${PAGE_ROWS}) i) t
   WHERE t.before < ${PAGE_BYTES} ORDER BY t.id OFFSET 0) x`,
);
