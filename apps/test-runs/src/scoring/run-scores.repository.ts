import { Injectable } from '@nestjs/common';
import {
  type Caller,
  type CriterionSummary,
  emission,
  type FailureClass,
  sameJson,
  type ScoreSummary,
  testEvents,
  type TestRunRecord,
} from '@signalbox/contracts';
import { Database, NOW_MS, type Tx } from '@signalbox/database';
import { type LockedTestRun, TEST_RUNS } from '../runs/test-run-kind.js';
import { TestRunRows } from '../runs/test-runs.repository.js';
import type { Criterion } from './judges.js';
import type { Output } from './output.js';
import type { ItemScoreState, ScoredItem, ScoredRepeat } from './scored-item.js';

/** Items scored at once, and the stored bytes of their inputs and outputs. */
const SLICE = 200;
const SLICE_BYTES = 4_194_304;

/** An item as it is scored. */
export interface ScorableItem {
  id: number;
  position: number;
  attempts: number;
  adapted_input: unknown;
  baseline: Output | null;
  sub: { id: number; expected_output: Output } | null;
  repeats: { id: number; actual_output: Output | null; failure_class: FailureClass | null }[];
  /** The score that counts now. */
  score: (ItemScoreState & { attempt: number }) | null;
}

/** The new score of an item. */
export interface NewScore extends ScoredItem {
  item: ScorableItem;
  repeats: readonly ScoredRepeat[];
}

const SCORABLE = `i.status = 'COMPLETED' OR (i.status = 'FAILED' AND i.failure_class = 'judge')`;

/**
 * The scores of runs. A score is a function of stored outputs, so scoring again without a change writes no new one.
 *
 * SQL: items are read in slices bounded by rows and bytes, and scores are written and summed up in bulk.
 */
@Injectable()
export class RunScores {
  constructor(
    private readonly db: Database,
    private readonly rows: TestRunRows,
  ) {}

  /** The enabled criteria among some. */
  async criteria(companyId: number, ids: readonly number[]): Promise<Criterion[]> {
    if (ids.length === 0) return [];
    return this.db.select<Criterion>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.id, t.name, t.criteria_type, t.method, t.prompt, t.config, t.pass_threshold, t.weight
         FROM "test-runs".evaluation_criteria t WHERE t.company_id = s.company AND t.id = ANY ($2::int[]) AND t.enabled
         AND t.deleted_at IS NULL ORDER BY t.id OFFSET 0) x`,
      [ids],
    );
  }

  /**
   * The next items with an output to score, in the order of their positions. Each look-up by id is a separate one
   * (`OFFSET 0`), because a table without statistics yet would otherwise be read as a whole for each slice.
   */
  slice(companyId: number, runId: string, after: number): Promise<ScorableItem[]> {
    return this.db.select<ScorableItem>(
      companyId,
      `SELECT x.* FROM s, LATERAL (
         SELECT i.id, i.position, i.attempts, i.adapted_input, i.baseline,
           CASE WHEN b.id IS NOT NULL THEN json_build_object('id', b.id, 'expected_output', b.expected_output) END AS sub,
           (SELECT COALESCE(json_agg(json_build_object('id', a.id, 'actual_output', a.actual_output, 'failure_class', a.failure_class)
              ORDER BY a.repeat), '[]'::json)
            FROM "test-runs".run_attempts a WHERE a.company_id = i.company_id AND a.run_item_id = i.id AND a.is_current) AS repeats,
           (SELECT row_to_json(c) FROM (SELECT sc.attempt, sc.expectation_source, sc.response_sub_id, sc.expected_output_used,
              sc.matched, sc.diff_result, sc.criteria_results, sc.failure_class
              FROM "test-runs".run_scores sc WHERE sc.company_id = i.company_id AND sc.id = i.score_id) c) AS score
         FROM (SELECT c.*, sum(c.bytes) OVER (ORDER BY c.position) AS total FROM (
             SELECT i.*, COALESCE(pg_column_size(i.adapted_input), 0) + (
               SELECT COALESCE(sum(pg_column_size(a.actual_output)), 0) FROM "test-runs".run_attempts a
               WHERE a.company_id = i.company_id AND a.run_item_id = i.id AND a.is_current) AS bytes
             FROM (SELECT * FROM "test-runs".run_items i WHERE i.company_id = s.company AND i.run_id = $2 AND i.position > $3
               ORDER BY i.position OFFSET 0) i
             WHERE ${SCORABLE} ORDER BY i.position LIMIT ${SLICE}) c) i
         LEFT JOIN LATERAL (SELECT t.response_sub_id, t.deleted_at FROM "test-runs".test_set_items t
           WHERE t.company_id = i.company_id AND t.id = i.test_set_item_id OFFSET 0) t ON true
         LEFT JOIN LATERAL (SELECT b.id, b.expected_output FROM "test-runs".response_subs b
           WHERE b.company_id = i.company_id AND b.id = t.response_sub_id AND t.deleted_at IS NULL OFFSET 0) b ON true
         WHERE i.total - i.bytes < ${SLICE_BYTES} ORDER BY i.position OFFSET 0) x ORDER BY x.position`,
      [runId, after],
    );
  }

  /** Adds the scores that are new, and marks items and repeats; an item that was executed again keeps its own. */
  async write(companyId: number, runId: string, scores: readonly NewScore[]): Promise<void> {
    const repeats = scores.flatMap((score) => score.repeats.map((repeat) => ({ ...repeat, item: score.item.id })));
    await this.db.withCompany({ companyId }, (tx) =>
      tx.query(
        `WITH given AS (
           SELECT * FROM unnest($3::int[], $4::int[], $5::text[], $6::int[], $7::text[], $8::boolean[], $9::text[], $10::text[],
             $11::text[], $12::boolean[], $13::float8[], $14::text[])
             u(item, attempt, source, sub, expected, matched, diff, criteria, failure, is_new, agreement, message)),
         valid AS MATERIALIZED (
           SELECT u.*, CASE WHEN u.is_new THEN nextval('"test-runs".run_scores_id_seq')::int END AS score FROM given u JOIN (
             SELECT i.id, i.attempts FROM "test-runs".run_items i
             WHERE i.company_id = $1 AND i.id = ANY ($3::int[]) AND (${SCORABLE}) ORDER BY i.id FOR UPDATE) i
           ON i.id = u.item AND i.attempts = u.attempt),
         added AS (
           INSERT INTO "test-runs".run_scores (company_id, run_id, id, run_item_id, attempt, expectation_source, response_sub_id,
             expected_output_used, matched, diff_result, criteria_results, failure_class, scored_at) OVERRIDING SYSTEM VALUE
           SELECT $1, $2, u.score, u.item, u.attempt, u.source, u.sub, u.expected::json, u.matched, u.diff::json, u.criteria::json,
             u.failure, ${NOW_MS} FROM valid u WHERE u.is_new),
         repeats AS (
           UPDATE "test-runs".run_attempts a SET matched = u.matched
           FROM unnest($15::int[], $16::boolean[], $17::int[]) u(id, matched, item) JOIN valid v ON v.item = u.item
           WHERE a.company_id = $1 AND a.id = u.id AND a.matched IS DISTINCT FROM u.matched)
         UPDATE "test-runs".run_items i SET score_id = COALESCE(u.score, i.score_id), matched = u.matched, agreement = u.agreement,
           scored_at = ${NOW_MS}, status = CASE WHEN u.failure IS NULL THEN 'COMPLETED' ELSE 'FAILED' END,
           failure_class = CASE WHEN u.failure IS NOT NULL THEN 'judge' WHEN u.matched = false THEN 'quality' END,
           error_message = CASE WHEN u.failure IS NOT NULL THEN u.message WHEN i.failure_class = 'judge' THEN NULL ELSE i.error_message END,
           date_updated = ${NOW_MS}
         FROM valid u
         WHERE i.company_id = $1 AND i.id = u.item`,
        [
          companyId,
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
          scores.map(isNew),
          scores.map(({ agreement }) => agreement),
          scores.map(({ score }) => score.criteria_results.find((each) => each.failure_class)?.description ?? null),
          repeats.map(({ id }) => id),
          repeats.map(({ matched }) => matched),
          repeats.map(({ item }) => item),
        ],
      ),
    );
  }

  /** Sums up the scores of a run on behalf of a caller. */
  finish(caller: Caller, no: number, criteria: readonly number[] | null): Promise<ScoreSummary> {
    return this.db.withCompany(caller, async (tx) => {
      const summary = await this.sumUp(tx, await this.rows.lock(tx, no), criteria);
      tx.audit({ action: 'score', resource_type: 'test_run', resource_id: String(no), before: null, after: summary });
      return summary;
    });
  }

  /** Sums up the scores of a locked run, writes its match rate and emits the event. */
  async sumUp(tx: Tx, run: LockedTestRun, criteria: readonly number[] | null): Promise<ScoreSummary> {
    const summary = await this.summary(tx, run, criteria ?? run.criteria_ids);
    const [record] = await tx.query<TestRunRecord>(
      `UPDATE "test-runs".runs t SET matched_items = $3, match_rate = $4, scored_at = ${NOW_MS}, date_updated = ${NOW_MS},
         completed_items = CASE WHEN t.status = 'COMPLETED' THEN $5 ELSE t.completed_items END,
         failed_items = CASE WHEN t.status = 'COMPLETED' THEN $6 ELSE t.failed_items END
       WHERE t.company_id = $1 AND t.id = $2 RETURNING ${TEST_RUNS.record}`,
      [tx.companyId, run.id, summary.matched, summary.match_rate, summary.total - summary.errors, summary.errors],
    );
    const { errors_by_class } = summary;
    if (record) tx.emit(emission(testEvents, 'test_run.scored', run.no, { ...record, errors_by_class }));
    return summary;
  }

  private async summary(tx: Tx, run: LockedTestRun, criteriaIds: readonly number[]): Promise<ScoreSummary> {
    const [counts] = await tx.query<{ total: number; matched: number; mismatched: number; errors: number }>(
      `SELECT count(*)::int AS total, count(*) FILTER (WHERE status = 'COMPLETED' AND matched)::int AS matched,
         count(*) FILTER (WHERE status = 'COMPLETED' AND NOT matched)::int AS mismatched,
         count(*) FILTER (WHERE status = 'FAILED')::int AS errors
       FROM "test-runs".run_items WHERE company_id = $1 AND run_id = $2`,
      [tx.companyId, run.id],
    );
    const { total = 0, matched = 0, mismatched = 0, errors = 0 } = counts ?? {};
    const classes = await tx.query<{ failure_class: FailureClass; n: number }>(
      `SELECT failure_class, count(*)::int AS n FROM "test-runs".run_items
       WHERE company_id = $1 AND run_id = $2 AND status = 'FAILED' GROUP BY failure_class ORDER BY failure_class`,
      [tx.companyId, run.id],
    );
    const scored = matched + mismatched;
    return {
      total,
      scored,
      matched,
      mismatched,
      unscored: total - scored - errors,
      errors,
      errors_by_class: Object.fromEntries(classes.map(({ failure_class, n }) => [failure_class, n])),
      match_rate: scored > 0 ? matched / scored : null,
      ...(await this.byCriterion(tx, run.id, criteriaIds)),
    };
  }

  /** Scores by criterion; the weighted one maps the scores of NUMERIC criteria from 1..5 to 0..1. */
  private async byCriterion(tx: Tx, runId: string, ids: readonly number[]) {
    const rows = await tx.query<CriterionSummary & { weight_sum: number | null; weighted: number | null }>(
      `SELECT r.criteria_id, max(r.name) AS name, avg(r.score) AS avg_score,
         avg(CASE WHEN r.passed THEN 1.0 WHEN NOT r.passed THEN 0.0 END)::float8 AS pass_rate,
         count(*) FILTER (WHERE r.failure_class IS NOT NULL)::int AS errors,
         sum(r.weight) FILTER (WHERE r.score IS NOT NULL) AS weight_sum,
         sum(r.weight * CASE e.criteria_type WHEN 'NUMERIC' THEN (r.score - 1) / 4 ELSE r.score END) AS weighted
       FROM "test-runs".run_items i
       JOIN "test-runs".run_scores s ON s.company_id = i.company_id AND s.id = i.score_id
       CROSS JOIN LATERAL json_to_recordset(s.criteria_results)
         r(criteria_id int, name text, score float8, passed boolean, failure_class text, weight float8)
       JOIN "test-runs".evaluation_criteria e ON e.company_id = i.company_id AND e.id = r.criteria_id
       WHERE i.company_id = $1 AND i.run_id = $2 AND r.criteria_id = ANY ($3::int[])
       GROUP BY r.criteria_id ORDER BY r.criteria_id`,
      [tx.companyId, runId, ids],
    );
    const weights = rows.reduce((sum, { weight_sum }) => sum + (weight_sum ?? 0), 0);
    const weighted = rows.reduce((sum, row) => sum + (row.weighted ?? 0), 0);
    return {
      weighted_score: weights > 0 ? weighted / weights : null,
      criteria: rows.map(({ weight_sum: _sum, weighted: _weighted, ...summary }) => summary),
    };
  }
}

const textOrNull = (value: object | null): string | null => value && JSON.stringify(value);

function isNew({ item, score }: NewScore): boolean {
  if (!item.score) return true;
  const { attempt, ...before } = item.score;
  return attempt !== item.attempts || !sameJson(before, score);
}
