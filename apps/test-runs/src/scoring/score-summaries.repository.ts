import { Injectable } from '@nestjs/common';
import {
  type Caller,
  type CriterionSummary,
  emission,
  type FailureClass,
  type ScoreSummary,
  testEvents,
  type TestRunRecord,
} from '@signalbox/contracts';
import { Database, NOW_MS, type Tx } from '@signalbox/database';
import { type LockedTestRun, TEST_RUNS } from '../runs/test-run-kind.js';
import { TestRunRows } from '../runs/test-runs.repository.js';

/** How many items of a run have a state. */
interface ItemCount {
  status: string;
  matched: boolean | null;
  failure_class: FailureClass | null;
  n: number;
}

/**
 * The summaries of the scores of runs.
 *
 * SQL: items and scores are counted by state and by criterion.
 */
@Injectable()
export class ScoreSummaries {
  constructor(
    private readonly db: Database,
    private readonly rows: TestRunRows,
  ) {}

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
    const counts = await tx.query<ItemCount>(
      `SELECT status, matched, failure_class, count(*)::int AS n FROM "test-runs".run_items
       WHERE company_id = $1 AND run_id = $2 GROUP BY status, matched, failure_class ORDER BY failure_class`,
      [tx.companyId, run.id],
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
      ...(await this.byCriterion(tx, run.id, criteriaIds)),
    };
  }

  /** Scores by criterion; the weighted one maps the scores of NUMERIC criteria from 1..5 to 0..1. */
  private async byCriterion(tx: Tx, runId: string, ids: readonly number[]) {
    if (ids.length === 0) return { weighted_score: null, criteria: [] };
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
