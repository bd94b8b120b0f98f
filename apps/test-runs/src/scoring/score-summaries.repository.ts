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
import { Database, type Tx } from '@signalbox/database';
import { type LockedTestRun } from '../run-records/index.js';
import {
  STORE_SUMMARY,
  COUNT_BY_STATE,
  type SummedScores,
  SUM_BY_CRITERION,
  TOTALS_OF_RUN,
} from './score-summaries.sql.js';

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

interface SummedItems {
  scores: SummedScores;
  values: unknown[];
}

export type Sums = Omit<ScoreSummary, 'status' | 'partial'>;

/** SQL: items and scores are counted by state and by criterion. */
@Injectable()
export class ScoreSummaries {
  constructor(private readonly db: Database) {}

  of(companyId: number, runId: string, scoring: Summed): Promise<Sums> {
    return this.db.withCompany({ companyId }, (tx) => this.sums(tx, runId, scoring));
  }

  /** Writes the match rate and emits the event. */
  async sumUp(tx: Tx, run: LockedTestRun, scoring: Summed): Promise<Sums> {
    const summary = await this.sums(tx, run.id, scoring);
    const { criteria_ids, definitions_sha256 } = scoring;
    const [record] = await tx.query<TestRunRecord>(STORE_SUMMARY, [
      tx.companyId,
      run.id,
      summary.matched,
      summary.match_rate,
      summary.total - summary.errors,
      summary.errors,
      JSON.stringify({ criteria_ids, definitions_sha256 }),
    ]);
    const { errors_by_class } = summary;
    if (record) tx.emit(emission(testEvents, 'test_run.scored', run.no, { ...record, errors_by_class }));
    return summary;
  }

  private async sums(tx: Tx, runId: string, scoring: Summed): Promise<Sums> {
    const isOwn = scoring.criteria_key === '';
    const items: SummedItems = isOwn
      ? { scores: 'own', values: [tx.companyId, runId] }
      : { scores: 'other', values: [tx.companyId, runId, scoring.id] };
    const counts = await tx.query<ItemCount>(COUNT_BY_STATE(items.scores), items.values);
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
    const [totals] = await tx.query<RunTotals>(TOTALS_OF_RUN, [tx.companyId, runId]);
    return totals ?? { usage: null, cost: null, duration_ms: null };
  }

  /**
   * The value of an item is the mean over its repeats; the weighted score maps the scores of NUMERIC criteria from 1..5
   * to 0..1.
   */
  private async byCriterion(tx: Tx, { scores, values }: SummedItems, ids: readonly number[]) {
    if (ids.length === 0) return { weighted_score: null, criteria: [] };
    const rows = await tx.query<CriterionSummary & { weight_sum: number | null; weighted: number | null }>(
      SUM_BY_CRITERION(scores),
      [...values, ids],
    );
    const weights = rows.reduce((sum, { weight_sum }) => sum + (weight_sum ?? 0), 0);
    const weighted = rows.reduce((sum, row) => sum + (row.weighted ?? 0), 0);
    return {
      weighted_score: weights > 0 ? weighted / weights : null,
      criteria: rows.map(({ weight_sum: _sum, weighted: _weighted, ...summary }) => summary),
    };
  }
}
