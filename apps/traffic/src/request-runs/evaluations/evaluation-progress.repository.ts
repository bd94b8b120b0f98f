import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import type { SentinelResult, SentinelVerdict } from '../../judging/index.js';
import { type JudgedRequest, ResultWriter } from '../../request-records/index.js';
import { countedWith, type EvaluationCounts, type RunningEvaluation } from './evaluation-run.js';
import { EvaluationRuns } from './evaluation-runs.repository.js';
import type { Extent } from './selected-requests.repository.js';

/** A judged batch of requests. */
export interface JudgedBatch {
  cursor: number;
  requests: { request: JudgedRequest; results: SentinelResult[] }[];
}

/** A failed result that is judged again. */
export interface FailedResult {
  id: number;
  request_id: string;
  request_date: number;
  sentinel_id: number;
}

/** A batch of repeated judgements. */
export interface RepeatedBatch {
  reset_cursor: number;
  repeated: { failed: FailedResult; verdict: SentinelVerdict }[];
}

const COUNTS = [
  'evaluated_requests',
  'pass_count',
  'fault_count',
  'na_count',
  'error_count',
  'judgements',
  'errors_by_class',
  'cost',
] as const satisfies (keyof EvaluationCounts)[];

/**
 * The progress of evaluation runs.
 *
 * SQL: a batch is recorded in one fenced transaction with its results and the cursor, so it is counted once.
 */
@Injectable()
export class EvaluationProgress {
  constructor(
    private readonly db: Database,
    private readonly runs: EvaluationRuns,
    private readonly results: ResultWriter,
  ) {}

  /** Records which requests the run judges; later ones are not part of it. */
  begin(job: Job, { count, cursor, upto }: Extent): Promise<void> {
    return this.runs.writes.fenced(job, job.ref, async (tx) => {
      await tx.query(
        'UPDATE traffic.evaluation_runs SET total_requests = $3, cursor = $4, upto = $5 WHERE company_id = $1 AND id = $2',
        [tx.companyId, job.ref, count, cursor, upto],
      );
      return [];
    });
  }

  /** Stores the results of a batch and its counts; returns the counts. */
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

  /** The failed results of a reset after its cursor, in the order of their ids. */
  failed(companyId: number, run: RunningEvaluation, limit: number): Promise<FailedResult[]> {
    const { no, reset_classes, reset_cursor, reset_upto } = run;
    return this.db.select<FailedResult>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.id, t.request_id, t.request_date, t.sentinel_id
         FROM traffic.evaluation_results t WHERE t.company_id = s.company AND t.evaluation_id = $2 AND t.status = 'ERROR'
           AND ($3::text[] IS NULL OR t.failure_class = ANY ($3)) AND t.id > $4::bigint AND t.id <= $5::bigint
         ORDER BY t.id LIMIT ${limit}) x ORDER BY x.id`,
      [no, reset_classes, reset_cursor ?? 0, reset_upto ?? 0],
    );
  }

  /** Replaces failed results by the repeated judgements; after the last of them the run is counted anew. */
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
    await tx.query(
      `UPDATE traffic.evaluation_runs SET ${COUNTS.map((name, at) => `${name} = $${at + 6}`).join(', ')},
         cursor = COALESCE($3::bigint, cursor), reset_cursor = COALESCE($4::bigint, reset_cursor),
         last_error = COALESCE($5, last_error)
       WHERE company_id = $1 AND id = $2`,
      [tx.companyId, id, more.cursor ?? null, more.reset_cursor ?? null, more.last_error, ...values],
    );
  }

  /** The counts of a run by its results. */
  private async count(tx: Tx, no: number): Promise<Omit<EvaluationCounts, 'cost' | 'evaluated_requests'>> {
    const [row] = await tx.query<Omit<EvaluationCounts, 'cost' | 'evaluated_requests'>>(
      `WITH r AS (SELECT bool_or(status = 'FAULT') AS fault, bool_or(status = 'ERROR') AS error, bool_or(status = 'PASS') AS pass,
           count(*) AS judgements
         FROM traffic.evaluation_results WHERE company_id = $1 AND evaluation_id = $2 GROUP BY evaluation_request_id),
       e AS (SELECT failure_class, count(*)::int AS n FROM traffic.evaluation_results
         WHERE company_id = $1 AND evaluation_id = $2 AND status = 'ERROR' GROUP BY failure_class)
       SELECT count(*) FILTER (WHERE fault)::int AS fault_count,
         count(*) FILTER (WHERE NOT fault AND error)::int AS error_count,
         count(*) FILTER (WHERE NOT fault AND NOT error AND pass)::int AS pass_count,
         count(*) FILTER (WHERE NOT fault AND NOT error AND NOT pass)::int AS na_count,
         COALESCE(sum(judgements), 0)::int AS judgements,
         COALESCE((SELECT jsonb_object_agg(failure_class, n) FROM e), '{}') AS errors_by_class
       FROM r`,
      [tx.companyId, no],
    );
    return row ?? { fault_count: 0, error_count: 0, pass_count: 0, na_count: 0, judgements: 0, errors_by_class: {} };
  }
}

const lastErrorOf = (verdicts: readonly SentinelVerdict[]): string | null =>
  verdicts.findLast(({ status }) => status === 'ERROR')?.description ?? null;

const costWith = (cost: number | null, repeated: RepeatedBatch['repeated']): number | null =>
  repeated.reduce((sum, { verdict }) => (verdict.usage.cost === null ? sum : (sum ?? 0) + verdict.usage.cost), cost);
