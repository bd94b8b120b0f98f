import { Injectable } from '@nestjs/common';
import type { FailureClass, SourceRef } from '@signalbox/contracts';
import { Database, NOW_MS, type Tx } from '@signalbox/database';
import type { ItemScoreState, Output, ScoredItem } from '../judging/index.js';

/** Items scored at once, and the stored bytes of their inputs and outputs. */
export const SLICE = 200;
const SLICE_BYTES = 4_194_304;

export interface StoredScore extends ItemScoreState {
  attempt: number;
  /** Hash of what it follows from; null for one of an earlier release. */
  judged_sha256: string | null;
}

export interface ScorableItem {
  id: number;
  position: number;
  attempts: number;
  adapted_input: unknown;
  baseline: Output | null;
  sub: { id: number; expected_output: Output } | null;
  test_set_item_id: number;
  /** The `meta` of the item of the set, as it is now. */
  meta: Record<string, unknown>;
  repeats: {
    actual_output: Output | null;
    failure_class: FailureClass | null;
    duration_ms: number;
    cost: number | null;
    source_ref: SourceRef | null;
    completed_at: number;
  }[];
  score: StoredScore | null;
}

export interface NewScore extends ScoredItem {
  item: ScorableItem;
  judged_sha256: string;
  /** False when it is the one that the item has. */
  isNew: boolean;
}

export interface ItemPlace {
  id: number;
  position: number;
}

/** Which scores are read and written: null for those that decide about the items, else those of another scoring. */
type ScoringId = number | null;

/** The condition of an item `i` with an output to score. */
export const SCORABLE = `i.status = 'COMPLETED' OR (i.status = 'FAILED' AND i.failure_class = 'judge')`;

/** The enabled criteria among the ids of the parameter $2. */
export const CRITERIA = (
  company: string,
): string => `SELECT t.id, t.name, t.criteria_type, t.method, t.prompt, t.config, t.pass_threshold, t.weight
  FROM "test-runs".evaluation_criteria t WHERE t.company_id = ${company} AND t.id = ANY ($2::int[]) AND t.enabled
    AND t.deleted_at IS NULL ORDER BY t.id`;

const STATE = `sc.attempt, sc.expectation_source, sc.response_sub_id, sc.expected_output_used, sc.matched, sc.diff_result,
  sc.criteria_results, sc.failure_class, sc.repeats_matched, sc.repeats_results, sc.judged_sha256`;

/**
 * The scores of runs. A score has the hash of what it follows from, so scoring again without a change judges nothing and
 * writes no new one.
 *
 * SQL: items are read in slices bounded by rows and bytes, and scores are written in bulk.
 */
@Injectable()
export class RunScores {
  constructor(private readonly db: Database) {}

  /** The items of a run after a position that have an output to score, in the order of their positions. */
  scorable(companyId: number, runId: string, after: number): Promise<ItemPlace[]> {
    return this.db.select<ItemPlace>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT i.id, i.position FROM "test-runs".run_items i
         WHERE i.company_id = s.company AND i.run_id = $2 AND i.position > $3 AND (${SCORABLE}) ORDER BY i.position OFFSET 0) x`,
      [runId, after],
    );
  }

  /**
   * The first of some items, with what they are scored by: as many as fit a slice. They are found by their ids, because
   * each slice would otherwise sort all the items that follow. Each look-up by id is a separate one (`OFFSET 0`),
   * because a table without statistics yet would be read as a whole.
   */
  slice(companyId: number, scoringId: ScoringId, ids: readonly number[]): Promise<ScorableItem[]> {
    return this.db.select<ScorableItem>(
      companyId,
      `SELECT x.* FROM s, LATERAL (
         SELECT i.id, i.position, i.test_set_item_id, COALESCE(t.meta, '{}') AS meta, i.attempts, i.adapted_input, i.baseline,
           CASE WHEN b.id IS NOT NULL THEN json_build_object('id', b.id, 'expected_output', b.expected_output) END AS sub,
           (SELECT COALESCE(json_agg(json_build_object('actual_output', a.actual_output, 'failure_class', a.failure_class,
              'duration_ms', a.duration_ms, 'cost', a.usage->'cost', 'source_ref', a.source_ref, 'completed_at', a.completed_at)
              ORDER BY a.repeat), '[]'::json)
            FROM "test-runs".run_attempts a WHERE a.company_id = i.company_id AND a.run_item_id = i.id AND a.is_current) AS repeats,
           (SELECT row_to_json(c) FROM (SELECT ${STATE} FROM "test-runs".run_scores sc WHERE sc.company_id = i.company_id
              AND ${scoringId === null ? 'sc.id = i.score_id' : 'sc.run_item_id = i.id AND sc.scoring_id = $3 ORDER BY sc.id DESC LIMIT 1'}) c) AS score
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
      [ids.slice(0, SLICE), ...(scoringId === null ? [] : [scoringId])],
    );
  }

  /** Scores that items have by the same hash, whatever scoring has made them: the newest of each, by item. */
  async judgedBefore(
    companyId: number,
    wanted: readonly { id: number; sha256: string }[],
  ): Promise<Map<number, StoredScore & { tries: number }>> {
    if (wanted.length === 0) return new Map();
    const rows = await this.db.select<{ item: number; score: StoredScore; tries: number }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT u.item, c.score, c.tries FROM unnest($2::int[], $3::text[]) u(item, sha), LATERAL (
         SELECT row_to_json(c) AS score, c.tries FROM (SELECT ${STATE}, count(*) OVER ()::int AS tries
           FROM "test-runs".run_scores sc WHERE sc.company_id = s.company AND sc.run_item_id = u.item AND sc.judged_sha256 = u.sha
           ORDER BY sc.failure_class IS NOT NULL, sc.id DESC LIMIT 1) c) c OFFSET 0) x`,
      [wanted.map(({ id }) => id), wanted.map(({ sha256 }) => sha256)],
    );
    return new Map(rows.map(({ item, score, tries }) => [item, { ...score, tries }]));
  }

  /** Adds the scores that are new, and marks their items; an item that was executed again keeps its own. */
  async write(tx: Tx, runId: string, scoringId: ScoringId, scores: readonly NewScore[]): Promise<void> {
    await tx.query(
      `WITH given AS (
         SELECT * FROM unnest($3::int[], $4::int[], $5::text[], $6::int[], $7::text[], $8::boolean[], $9::text[], $10::text[],
           $11::text[], $12::boolean[], $13::float8[], $14::text[], $15::text[], $16::text[], $17::text[])
           u(item, attempt, source, sub, expected, matched, diff, criteria, failure, is_new, agreement, message, repeats, results, sha)),
       valid AS MATERIALIZED (
         SELECT u.*, CASE WHEN u.is_new THEN nextval('"test-runs".run_scores_id_seq')::int END AS score FROM given u JOIN (
           SELECT i.id, i.attempts FROM "test-runs".run_items i
           WHERE i.company_id = $1 AND i.id = ANY ($3::int[]) AND (${SCORABLE}) ORDER BY i.id FOR UPDATE) i
         ON i.id = u.item AND i.attempts = u.attempt),
       added AS (
         INSERT INTO "test-runs".run_scores (company_id, run_id, id, run_item_id, attempt, expectation_source, response_sub_id,
           expected_output_used, matched, diff_result, criteria_results, failure_class, repeats_matched, repeats_results,
           judged_sha256, scoring_id, scored_at) OVERRIDING SYSTEM VALUE
         SELECT $1, $2, u.score, u.item, u.attempt, u.source, u.sub, u.expected::json, u.matched, u.diff::json, u.criteria::json,
           u.failure, u.repeats::boolean[], u.results::json, u.sha, $18::int, ${NOW_MS} FROM valid u WHERE u.is_new)
       UPDATE "test-runs".run_items i SET score_id = COALESCE(u.score, i.score_id), matched = u.matched, agreement = u.agreement,
         scored_at = ${NOW_MS}, status = CASE WHEN u.failure IS NULL THEN 'COMPLETED' ELSE 'FAILED' END,
         failure_class = CASE WHEN u.failure IS NOT NULL THEN 'judge' WHEN u.matched = false THEN 'quality' END,
         error_message = CASE WHEN u.failure IS NOT NULL THEN u.message WHEN i.failure_class = 'judge' THEN NULL ELSE i.error_message END,
         date_updated = ${NOW_MS}
       FROM valid u
       WHERE i.company_id = $1 AND i.id = u.item AND $18::int IS NULL`,
      [
        tx.companyId,
        runId,
        scores.map(({ item }) => item.id),
        scores.map(({ item }) => item.attempts),
        scores.map(({ score }) => score.expectation_source),
        scores.map(({ score }) => score.response_sub_id),
        scores.map(({ score }) => textOrNull(score.expected_output_used)),
        scores.map(({ score }) => score.matched),
        scores.map(({ score }) => textOrNull(score.diff_result)),
        scores.map(({ score }) => JSON.stringify(score.criteria_results)),
        scores.map(({ score }) => score.failure_class),
        scores.map(({ isNew }) => isNew),
        scores.map(({ agreement }) => agreement),
        scores.map(({ score }) => score.criteria_results.find((each) => each.failure_class)?.description ?? null),
        scores.map(({ score }) => arrayText(score.repeats_matched)),
        scores.map(({ score }) => textOrNull(score.repeats_results)),
        scores.map(({ judged_sha256 }) => judged_sha256),
        scoringId,
      ],
    );
  }
}

const arrayText = (values: readonly (boolean | null)[]): string => `{${values.map(String).join(',')}}`;
const textOrNull = (value: object | null): string | null => value && JSON.stringify(value);
