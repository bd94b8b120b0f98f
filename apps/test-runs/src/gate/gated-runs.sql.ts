import { NOW_MS, readStatement } from '@signalbox/database';
import { SOURCE_MD5 } from '../run-items/index.js';
import { META_MD5 } from '../scoring/index.js';

const MAX_NAMED = 20;

const counted = (items: string): string =>
  `SELECT count(*)::int AS stale, COALESCE((array_agg(f.id ORDER BY f.id))[1:${MAX_NAMED}], '{}') AS stale_items FROM (${items}) f`;

export const NEWEST_RUN = readStatement(
  { index: ['run_items_of_run', 'runs_of_consumer', 'scorings_of_run'] },
  `SELECT x.* FROM s, LATERAL (SELECT r.id, r.no, r.prepared_at, r.completed_at, r.scored_at, r.cancelled_at, r.scored_with,
     r.scoring, r.total_items AS total, ${NOW_MS} AS now, c.matched, c.mismatched, c.errors
   FROM (SELECT t.*, g.scoring FROM "test-runs".runs t LEFT JOIN LATERAL (
       SELECT json_build_object('scored', g.scored, 'total', g.total) AS scoring FROM "test-runs".scorings g
       WHERE g.company_id = t.company_id AND g.run_id = t.id AND g.criteria_key = '' AND g.status = 'SCORING'
         AND NOT g.is_partial OFFSET 0) g ON true
       WHERE t.company_id = s.company AND t.consumer_kind = $2 AND t.consumer_id = $3
       AND t.consumer_version = $4 AND t.test_set_id = $5 AND t.status = 'COMPLETED'
       ORDER BY t.cancelled_at IS NOT NULL,
         g.scoring IS NULL AND (t.scored_at IS NULL OR t.scored_at < t.completed_at), t.completed_at DESC, t.no DESC LIMIT 1) r
   CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE i.status = 'COMPLETED' AND i.matched)::int AS matched,
       count(*) FILTER (WHERE i.status = 'COMPLETED' AND NOT i.matched)::int AS mismatched,
       count(*) FILTER (WHERE i.status = 'FAILED')::int AS errors
     FROM "test-runs".run_items i WHERE i.company_id = r.company_id AND i.run_id = r.id) c OFFSET 0) x`,
);

export const ITEMS_CHANGED_SINCE = readStatement(
  { index: ['test_set_items_position', 'test_set_items_removed', 'test_sets_pkey'] },
  `SELECT x.*, ${NOW_MS} AS now, (SELECT t.item_count FROM "test-runs".test_sets t, s WHERE t.company_id = s.company AND t.id = $2) AS count
   FROM s, LATERAL (${counted(
     `SELECT t.id FROM "test-runs".test_set_items t WHERE t.company_id = s.company AND t.test_set_id = $2
        AND t.deleted_at IS NULL AND GREATEST(t.date_created, t.date_updated) > $3
      UNION ALL SELECT t.id FROM "test-runs".test_set_items t WHERE t.company_id = s.company AND t.test_set_id = $2
        AND t.deleted_at > $3 AND t.date_created <= $3`,
   )} OFFSET 0) x`,
);

export const CRITERIA_OF_SET = readStatement(
  { index: 'test_sets_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT t.criteria_ids FROM "test-runs".test_sets t
   WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
);

export const STALE_ITEMS = readStatement(
  { index: ['run_items_of_run', 'run_scores_pkey', 'test_set_items_position'] },
  `SELECT x.* FROM s, LATERAL (${counted(
    `SELECT COALESCE(t.id, i.test_set_item_id) AS id
      FROM (SELECT i.* FROM "test-runs".run_items i WHERE i.company_id = s.company AND i.run_id = $2) i
      FULL JOIN (SELECT t.* FROM "test-runs".test_set_items t WHERE t.company_id = s.company AND t.test_set_id = $3
        AND t.deleted_at IS NULL) t ON t.id = i.test_set_item_id
      LEFT JOIN "test-runs".run_scores c ON c.company_id = i.company_id AND c.id = i.score_id
      WHERE t.id IS NULL OR i.id IS NULL OR (i.score_id IS NOT NULL AND t.response_sub_id IS DISTINCT FROM c.response_sub_id)
        OR (t.date_updated > $4 AND c.meta_md5 <> ${META_MD5('t')})
        OR (t.date_updated > $4 AND CASE WHEN i.source_md5 IS NULL THEN i.baseline::text IS DISTINCT FROM t.expected_output::text
          ELSE i.source_md5 <> ${SOURCE_MD5('t')} END)`,
  )} OFFSET 0) x`,
);
