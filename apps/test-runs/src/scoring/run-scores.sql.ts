import { readStatement, txStatement, NOW_MS, composed } from '@signalbox/database';

/** Items per slice, and the stored bytes of their inputs and outputs. */
export const SLICE = 200;

const SLICE_BYTES = 4_194_304;

export const SCORABLE = `i.status = 'COMPLETED' OR (i.status = 'FAILED' AND i.failure_class = 'judge')`;

/** Of the `meta` of an item of a set. */
export const META_MD5 = (item: string): string => `md5(COALESCE(${item}.meta, '{}')::text)`;

const criteria = (
  company: string,
): string => `SELECT t.id, t.name, t.criteria_type, t.method, t.prompt, t.config, t.pass_threshold, t.weight
  FROM "test-runs".evaluation_criteria t WHERE t.company_id = ${company} AND t.id = ANY ($2::int[]) AND t.enabled
    AND t.deleted_at IS NULL ORDER BY t.id`;

export const ENABLED_CRITERIA = readStatement(
  { index: 'evaluation_criteria_pkey' },
  `SELECT x.* FROM s, LATERAL (${criteria('s.company')} OFFSET 0) x`,
);

export const CRITERIA_OF_SCORING = txStatement({ index: 'evaluation_criteria_pkey' }, criteria('$1'));

const STATE = `sc.attempt, sc.expectation_source, sc.response_sub_id, sc.expected_output_used, sc.matched, sc.diff_result,
  sc.criteria_results, sc.failure_class, sc.repeats_matched, sc.repeats_results, sc.judged_sha256,
  sc.meta_md5`;

export const SCORABLE_ITEMS = readStatement(
  { index: 'run_items_of_run' },
  `SELECT x.* FROM s, LATERAL (SELECT i.id, i.position FROM "test-runs".run_items i
   WHERE i.company_id = s.company AND i.run_id = $2 AND i.position > $3 AND (${SCORABLE}) ORDER BY i.position OFFSET 0) x`,
);

const SCORE_OF = {
  own: 'sc.id = i.score_id',
  other: 'sc.run_item_id = i.id AND sc.scoring_id = $3 ORDER BY sc.id DESC LIMIT 1',
} as const;

/** `OFFSET 0` keeps each look-up by id separate: a table without statistics would be read as a whole. */
export const ITEMS_TO_SCORE = composed(
  (scores: keyof typeof SCORE_OF) =>
    readStatement(
      {
        index: [
          'response_subs_pkey',
          'run_attempts_current',
          'run_items_pkey',
          scores === 'own' ? 'run_scores_pkey' : 'run_scores_of_item',
          'test_set_items_pkey',
        ],
      },
      `SELECT x.* FROM s, LATERAL (
      SELECT i.id, i.position, i.test_set_item_id, COALESCE(t.meta, '{}') AS meta, ${META_MD5('t')} AS meta_md5, i.attempts, i.adapted_input, i.baseline,
        CASE WHEN b.id IS NOT NULL THEN json_build_object('id', b.id, 'expected_output', b.expected_output) END AS sub,
        (SELECT COALESCE(json_agg(json_build_object('actual_output', a.actual_output, 'failure_class', a.failure_class,
           'duration_ms', a.duration_ms, 'cost', a.usage->'cost', 'source_ref', a.source_ref, 'completed_at', a.completed_at)
           ORDER BY a.repeat), '[]'::json)
         FROM "test-runs".run_attempts a WHERE a.company_id = i.company_id AND a.run_item_id = i.id AND a.is_current) AS repeats,
        (SELECT row_to_json(c) FROM (SELECT ${STATE} FROM "test-runs".run_scores sc WHERE sc.company_id = i.company_id
           AND ${SCORE_OF[scores]}) c) AS score
      FROM (SELECT i.*, u.n, sum(i.bytes) OVER (ORDER BY u.n) AS total
        FROM unnest($2::int[]) WITH ORDINALITY u(id, n), LATERAL (
          SELECT i.*, COALESCE(pg_column_size(i.adapted_input), 0) + (
            SELECT COALESCE(sum(pg_column_size(a.actual_output)), 0) FROM "test-runs".run_attempts a
            WHERE a.company_id = i.company_id AND a.run_item_id = i.id AND a.is_current) AS bytes
          FROM "test-runs".run_items i WHERE i.company_id = s.company AND i.id = u.id AND (${SCORABLE}) OFFSET 0) i) i
      LEFT JOIN LATERAL (SELECT t.response_sub_id, t.deleted_at, t.meta FROM "test-runs".test_set_items t
        WHERE t.company_id = i.company_id AND t.id = i.test_set_item_id OFFSET 0) t ON true
      LEFT JOIN LATERAL (SELECT b.id, b.expected_output FROM "test-runs".response_subs b
        WHERE b.company_id = i.company_id AND b.id = t.response_sub_id AND t.deleted_at IS NULL OFFSET 0) b ON true
      WHERE i.total - i.bytes < ${SLICE_BYTES} ORDER BY i.n OFFSET 0) x`,
    ),
  ['own'],
  ['other'],
);

export const SCORES_BY_HASH = readStatement(
  { index: 'run_scores_of_item' },
  `SELECT x.* FROM s, LATERAL (SELECT u.item, c.score, c.tries FROM unnest($2::int[], $3::text[]) u(item, sha), LATERAL (
   SELECT row_to_json(c) AS score, c.tries FROM (SELECT ${STATE}, count(*) OVER ()::int AS tries
     FROM "test-runs".run_scores sc WHERE sc.company_id = s.company AND sc.run_item_id = u.item AND sc.judged_sha256 = u.sha
     ORDER BY sc.failure_class IS NOT NULL, sc.id DESC LIMIT 1) c) c OFFSET 0) x`,
);

export const WRITE_SCORES = txStatement(
  { index: 'run_items_pkey' },
  `WITH given AS (
     SELECT * FROM unnest($3::int[], $4::int[], $5::text[], $6::int[], $7::text[], $8::boolean[], $9::text[], $10::text[],
       $11::text[], $12::boolean[], $13::float8[], $14::text[], $15::text[], $16::text[], $17::text[], $19::text[])
       u(item, attempt, source, sub, expected, matched, diff, criteria, failure, is_new, agreement, message, repeats, results, sha, meta)),
   valid AS MATERIALIZED (
     SELECT u.*, CASE WHEN u.is_new THEN nextval('"test-runs".run_scores_id_seq')::int END AS score FROM given u JOIN (
       SELECT i.id, i.attempts FROM "test-runs".run_items i
       WHERE i.company_id = $1 AND i.id = ANY ($3::int[]) AND (${SCORABLE}) ORDER BY i.id FOR UPDATE) i
     ON i.id = u.item AND i.attempts = u.attempt),
   added AS (
     INSERT INTO "test-runs".run_scores (company_id, run_id, id, run_item_id, attempt, expectation_source, response_sub_id,
       expected_output_used, matched, diff_result, criteria_results, failure_class, repeats_matched, repeats_results,
       judged_sha256, meta_md5, scoring_id, scored_at) OVERRIDING SYSTEM VALUE
     SELECT $1, $2, u.score, u.item, u.attempt, u.source, u.sub, u.expected::json, u.matched, u.diff::json, u.criteria::json,
       u.failure, u.repeats::boolean[], u.results::json, u.sha, u.meta, $18::int, ${NOW_MS} FROM valid u WHERE u.is_new)
   UPDATE "test-runs".run_items i SET score_id = COALESCE(u.score, i.score_id), matched = u.matched, agreement = u.agreement,
     scored_at = ${NOW_MS}, status = CASE WHEN u.failure IS NULL THEN 'COMPLETED' ELSE 'FAILED' END,
     failure_class = CASE WHEN u.failure IS NOT NULL THEN 'judge' WHEN u.matched = false THEN 'quality' END,
     error_message = CASE WHEN u.failure IS NOT NULL THEN u.message WHEN i.failure_class = 'judge' THEN NULL ELSE i.error_message END,
     date_updated = ${NOW_MS}
   FROM valid u
   WHERE i.company_id = $1 AND i.id = u.item AND $18::int IS NULL`,
);
