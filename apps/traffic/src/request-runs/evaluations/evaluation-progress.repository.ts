import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import type { SentinelResult, SentinelVerdict } from '../../judging/index.js';
import { type JudgedRequest, ResultWriter } from '../../request-records/index.js';
import { countedWith, type EvaluationCounts, type RunningEvaluation } from './evaluation-run.js';
import { EvaluationRuns } from './evaluation-runs.repository.js';
import type { SelectionRange } from './selected-requests.repository.js';
import { BEGIN_RUN, COUNT_RESULTS, COUNTS, FAILED_RESULTS, SET_COUNTS } from './evaluation-progress.sql.js';

export interface JudgedBatch {
  cursor: number;
  requests: { request: JudgedRequest; results: SentinelResult[] }[];
}

export interface FailedResult {
  id: number;
  request_id: string;
  request_date: number;
  sentinel_id: number;
}

export interface RepeatedBatch {
  reset_cursor: number;
  repeated: { failed: FailedResult; verdict: SentinelVerdict }[];
}

/** SQL: a batch is recorded in one fenced transaction with its results and the cursor, so it is counted once. */
@Injectable()
export class EvaluationProgress {
  constructor(
    private readonly db: Database,
    private readonly runs: EvaluationRuns,
    private readonly results: ResultWriter,
  ) {}

  /** Requests that are recorded later are not part of the run. */
  begin(job: Job, { count, cursor, upto }: SelectionRange): Promise<void> {
    return this.runs.writes.fenced(job, job.ref, async (tx) => {
      await tx.query(BEGIN_RUN, [tx.companyId, job.ref, count, cursor, upto]);
      return [];
    });
  }

  async record(job: Job, { cursor, requests }: JudgedBatch): Promise<EvaluationCounts> {
    let counts: EvaluationCounts | undefined;
    await this.runs.writes.fenced(job, job.ref, async (tx, run) => {
      await tx.progressed(job);
      const overridden = new Set(run.overridden);
      for (const { request, results } of requests)
        await this.results.store(tx, { request, results, passId: randomUUID(), evaluationId: run.no, overridden });
      counts = countedWith(
        run,
        requests.map(({ results }) => results),
      );
      await this.setCounts(tx, run, counts, {
        cursor,
        last_error: lastErrorOf(requests.flatMap((each) => each.results)),
      });
      return [];
    });
    return counts as unknown as EvaluationCounts;
  }

  failed(companyId: number, run: RunningEvaluation, limit: number): Promise<FailedResult[]> {
    const { no, reset_classes, reset_cursor, reset_upto } = run;
    return this.db.select<FailedResult>(companyId, FAILED_RESULTS(limit), [
      no,
      reset_classes,
      reset_cursor ?? 0,
      reset_upto ?? 0,
    ]);
  }

  /** After the last of them, all counts of the run are computed again. */
  async recordRepeated(job: Job, { reset_cursor, repeated }: RepeatedBatch): Promise<EvaluationCounts> {
    let counts: EvaluationCounts | undefined;
    await this.runs.writes.fenced(job, job.ref, async (tx, run) => {
      await tx.progressed(job);
      for (const { failed, verdict } of repeated)
        await this.results.replace(
          tx,
          { request_id: failed.request_id, date_created: failed.request_date },
          failed.id,
          verdict,
        );
      const isLast = reset_cursor >= (run.reset_upto ?? 0);
      counts = isLast ? { ...run, ...(await this.count(tx, run.no)) } : run;
      counts.cost = costWith(run.cost, repeated);
      await this.setCounts(tx, run, counts, {
        reset_cursor,
        last_error: lastErrorOf(repeated.map(({ verdict }) => verdict)),
      });
      return [];
    });
    return counts as unknown as EvaluationCounts;
  }

  private async setCounts(
    tx: Tx,
    { id }: RunningEvaluation,
    counts: EvaluationCounts,
    more: { cursor?: number; reset_cursor?: number; last_error: string | null },
  ): Promise<void> {
    const values = COUNTS.map((name) => (name === 'errors_by_class' ? JSON.stringify(counts[name]) : counts[name]));
    await tx.query(SET_COUNTS, [
      tx.companyId,
      id,
      more.cursor ?? null,
      more.reset_cursor ?? null,
      more.last_error,
      ...values,
    ]);
  }

  private async count(tx: Tx, no: number): Promise<Omit<EvaluationCounts, 'cost' | 'evaluated_requests'>> {
    const [row] = await tx.query<Omit<EvaluationCounts, 'cost' | 'evaluated_requests'>>(COUNT_RESULTS, [
      tx.companyId,
      no,
    ]);
    return row ?? { fault_count: 0, error_count: 0, pass_count: 0, na_count: 0, judgements: 0, errors_by_class: {} };
  }
}

const lastErrorOf = (verdicts: readonly SentinelVerdict[]): string | null =>
  verdicts.findLast(({ status }) => status === 'ERROR')?.description ?? null;

const costWith = (cost: number | null, repeated: RepeatedBatch['repeated']): number | null =>
  repeated.reduce((sum, { verdict }) => (verdict.usage.cost === null ? sum : (sum ?? 0) + verdict.usage.cost), cost);
