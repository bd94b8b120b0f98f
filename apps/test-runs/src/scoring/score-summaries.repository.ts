import { Injectable } from '@nestjs/common';
import {
  type CriterionSummary,
  emission,
  type FailureClass,
  type RunTotals,
  type ScoreSummary,
  testEvents,
  type TestRunRecord,
} from '@signalbox/contracts';
import { Database, NOW_MS, type Tx } from '@signalbox/database';
import { type LockedTestRun, TEST_RUNS, TOTAL_FIELDS } from '../run-records/index.js';

/** How many items of a run have a state. */
interface ItemCount {
  status: string;
  matched: boolean | null;
  failure_class: FailureClass | null;
  n: number;
}

interface Summed {
  id: number;
  criteria_key: string;
  criteria_ids: number[];
  definitions_sha256: string;
}

/** A summary without the state of its scoring. */
export type Sums = Omit<ScoreSummary, 'status' | 'partial'>;

const OWN = `SELECT i.company_id, i.id, i.status, i.failure_class, i.matched, i.score_id FROM "test-runs".run_items i
  WHERE i.company_id = $1 AND i.run_id = $2`;

/** The items of a run with their newest scores by other criteria. */
const OTHERS = `SELECT i.company_id, i.id, c.matched, c.id AS score_id,
    CASE WHEN c.failure_class IS NOT NULL THEN 'FAILED' WHEN i.failure_class = 'judge' THEN 'COMPLETED' ELSE i.status END AS status,
    COALESCE(c.failure_class, CASE WHEN i.failure_class NOT IN ('judge', 'quality') THEN i.failure_class END) AS failure_class
  FROM "test-runs".run_items i LEFT JOIN LATERAL (SELECT c.id, c.matched, c.failure_class FROM "test-runs".run_scores c
    WHERE c.company_id = i.company_id AND c.run_item_id = i.id AND c.scoring_id = $3 AND c.attempt = i.attempts
    ORDER BY c.id DESC LIMIT 1) c ON true
  WHERE i.company_id = $1 AND i.run_id = $2`;

/**
 * The summaries of the scores of runs.
 *
 * SQL: items and scores are counted by state and by criterion.
 */
@Injectable()
export class ScoreSummaries {
  constructor(private readonly db: Database) {}

  of(companyId: number, runId: string, scoring: Summed): Promise<Sums> {
    return this.db.withCompany({ companyId }, (tx) => this.sums(tx, runId, scoring));
  }

  /** Sums up the scores of a locked run, writes its match rate and emits the event. */
  async sumUp(tx: Tx, run: LockedTestRun, scoring: Summed): Promise<Sums> {
    const summary = await this.sums(tx, run.id, scoring);
    const { criteria_ids, definitions_sha256 } = scoring;
    const [record] = await tx.query<TestRunRecord>(
      `UPDATE "test-runs".runs t SET matched_items = $3, match_rate = $4, scored_at = ${NOW_MS}, date_updated = ${NOW_MS},
         completed_items = CASE WHEN t.status = 'COMPLETED' THEN $5 ELSE t.completed_items END,
         failed_items = CASE WHEN t.status = 'COMPLETED' THEN $6 ELSE t.failed_items END, scored_with = $7
       WHERE t.company_id = $1 AND t.id = $2 RETURNING ${TEST_RUNS.record}`,
      [
        tx.companyId,
        run.id,
        summary.matched,
        summary.match_rate,
        summary.total - summary.errors,
        summary.errors,
        JSON.stringify({ criteria_ids, definitions_sha256 }),
      ],
    );
    const { errors_by_class } = summary;
    if (record) tx.emit(emission(testEvents, 'test_run.scored', run.no, { ...record, errors_by_class }));
    return summary;
  }

  private async sums(tx: Tx, runId: string, scoring: Summed): Promise<Sums> {
    const isOwn = scoring.criteria_key === '';
    const items = { sql: isOwn ? OWN : OTHERS, values: [tx.companyId, runId, ...(isOwn ? [] : [scoring.id])] };
    const counts = await tx.query<ItemCount>(
      `SELECT status, matched, failure_class, count(*)::int AS n FROM (${items.sql}) i
       GROUP BY status, matched, failure_class ORDER BY failure_class`,
      items.values,
    );
    const number = (is: (count: ItemCount) => boolean) => counts.filter(is).reduce((sum, { n }) => sum + n, 0);
    const total = number(() => true);
    const matched = number((count) => count.status === 'COMPLETED' && count.matched === true);
    const mismatched = number((count) => count.status === 'COMPLETED' && count.matched === false);
    const errors_by_class: Partial<Record<FailureClass, number>> = {};
    for (const { status, failure_class, n } of counts)
      if (status === 'FAILED' && failure_class)
        errors_by_class[failure_class] = (errors_by_class[failure_class] ?? 0) + n;
    const errors = number(({ status }) => status === 'FAILED');
    const scored = matched + mismatched;
    return {
      total,
      scored,
      matched,
      mismatched,
      unscored: total - scored - errors,
      errors,
      errors_by_class,
      match_rate: scored > 0 ? matched / scored : null,
      ...(await this.totals(tx, runId)),
      ...(await this.byCriterion(tx, items, scoring.criteria_ids)),
    };
  }

  private async totals(tx: Tx, runId: string): Promise<RunTotals> {
    const fields = Object.entries(TOTAL_FIELDS).map(([name, sql]) => `${sql} AS ${name}`);
    const [totals] = await tx.query<RunTotals>(
      `SELECT ${fields.join(', ')} FROM "test-runs".runs t WHERE t.company_id = $1 AND t.id = $2`,
      [tx.companyId, runId],
    );
    return totals ?? { usage: null, cost: null, duration_ms: null };
  }

  /**
   * Scores by criterion. The value of an item is the mean over its repeats; the weighted score maps the scores of NUMERIC
   * criteria from 1..5 to 0..1.
   */
  private async byCriterion(tx: Tx, items: { sql: string; values: unknown[] }, ids: readonly number[]) {
    if (ids.length === 0) return { weighted_score: null, criteria: [] };
    const rows = await tx.query<CriterionSummary & { weight_sum: number | null; weighted: number | null }>(
      `SELECT r.criteria_id, max(r.name) AS name, avg(r.score) AS avg_score, avg(r.passed)::float8 AS pass_rate,
         sum(r.errors)::int AS errors, sum(r.weight) FILTER (WHERE r.score IS NOT NULL) AS weight_sum,
         sum(r.weight * CASE e.criteria_type WHEN 'NUMERIC' THEN (r.score - 1) / 4 ELSE r.score END) AS weighted
       FROM (${items.sql}) i
       JOIN "test-runs".run_scores s ON s.company_id = i.company_id AND s.id = i.score_id
       CROSS JOIN LATERAL (
         SELECT p.criteria_id, max(p.name) AS name, avg(p.score) AS score, max(p.weight) AS weight,
           avg(CASE WHEN p.passed THEN 1.0 WHEN NOT p.passed THEN 0.0 END) AS passed,
           count(*) FILTER (WHERE p.failure_class IS NOT NULL) AS errors
         FROM json_array_elements(COALESCE(s.repeats_results, json_build_array(s.criteria_results))) repeat(results),
           json_to_recordset(repeat.results)
             p(criteria_id int, name text, score float8, passed boolean, failure_class text, weight float8)
         GROUP BY p.criteria_id) r
       JOIN "test-runs".evaluation_criteria e ON e.company_id = i.company_id AND e.id = r.criteria_id
       WHERE r.criteria_id = ANY ($${items.values.length + 1}::int[])
       GROUP BY r.criteria_id ORDER BY r.criteria_id`,
      [...items.values, ids],
    );
    const weights = rows.reduce((sum, { weight_sum }) => sum + (weight_sum ?? 0), 0);
    const weighted = rows.reduce((sum, row) => sum + (row.weighted ?? 0), 0);
    return {
      weighted_score: weights > 0 ? weighted / weights : null,
      criteria: rows.map(({ weight_sum: _sum, weighted: _weighted, ...summary }) => summary),
    };
  }
}
