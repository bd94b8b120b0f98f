import { readStatement } from '@signalbox/database';

/** Bytes of the bodies of a page; only its first item may be larger. */
const PAGE_BYTES = 2_097_152;

const PAGE_ITEMS = 500;

export const PAGE_OF_ITEMS = readStatement(
  { index: ['response_subs_pkey', 'test_set_items_position'] },
  `SELECT x.* FROM s, LATERAL (
   SELECT t.position, t.input::text, t.expected_output::text, t.meta::text, COALESCE(t.file_source->>'source_type', t.source_type) AS source_type,
     COALESCE(t.file_source->>'source_id', t.source_id) AS source_id,
     COALESCE(t.file_source->>'flatten_variant', t.flatten_variant) AS flatten_variant, (SELECT json_build_object('expected_output', r.expected_output, 'note', r.note)::text
       FROM "test-runs".response_subs r WHERE r.company_id = s.company AND r.id = t.response_sub_id) AS response_sub
   FROM (SELECT i.*, sum(i.body_bytes) OVER (ORDER BY i.position) - i.body_bytes AS before FROM (
       SELECT * FROM "test-runs".test_set_items WHERE company_id = s.company AND test_set_id = $2
         AND position > $3 AND deleted_at IS NULL ORDER BY position LIMIT ${PAGE_ITEMS}) i) t
   WHERE t.before < ${PAGE_BYTES} ORDER BY t.position OFFSET 0) x`,
);
