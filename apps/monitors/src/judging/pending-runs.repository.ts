import { Injectable } from '@nestjs/common';
import {
  emission,
  type MonitorConfig,
  monitorEvents,
  type MonitorRunSummary,
  type SourceType,
} from '@signalbox/contracts';
import { arrayParameter, Database, type Tx } from '@signalbox/database';
import { type Job, runsEnded } from '@signalbox/platform';
import { MonitorAlerts } from '../alerts/index.js';
import { Budgets, IS_BUDGET_SPENT } from '../budgets/index.js';
import { RUN_FIELDS } from './run-fields.js';
import type { Judgement } from './judge.js';
import { OUTCOME_TYPES, outcomeArrays, runOutcome } from './run-outcome.js';

/** A sampled source that is not judged yet. */
export interface PendingRun {
  id: number;
  monitor_id: number;
  source_type: SourceType;
  source_id: string;
  attempts: number;
  config: MonitorConfig;
}

/** A run with its judgement. */
export interface JudgedRun {
  run: Pick<PendingRun, 'id' | 'monitor_id' | 'attempts'>;
  judgement: Judgement;
}

/** How often a source is judged before its failure is stored. */
const MAX_TRIES = 3;
const RETRY_MS = 1000;

const COMPLETE = (open: string): string => `UPDATE monitors.monitor_runs t SET outcome = u.outcome,
    failure_class = u.failure_class, error_message = u.error_message, resolution_trace = u.resolution_trace,
    runner_output = u.runner_output, runner_duration_ms = u.duration, cost = COALESCE(t.cost + u.cost, t.cost, u.cost),
    attempts = t.attempts + 1
  FROM unnest($2::bigint[], ${OUTCOME_TYPES.map((type, at) => `$${at + 3}::${type}`).join(', ')})
    u(id, outcome, failure_class, error_message, resolution_trace, runner_output, duration, cost)
  WHERE t.company_id = $1 AND t.id = u.id AND t.${open} RETURNING ${RUN_FIELDS}`;

const isFinal = ({ run, judgement }: JudgedRun): boolean =>
  !judgement.failure || !judgement.failure.repeatable || run.attempts + 1 >= MAX_TRIES;

/**
 * Runs on their way to an outcome.
 *
 * SQL: the outcomes of a batch are stored by one fenced statement.
 */
@Injectable()
export class PendingRuns {
  constructor(
    private readonly db: Database,
    private readonly alerts: MonitorAlerts,
    private readonly budgets: Budgets,
  ) {}

  /** The runs of a job that have no outcome; those of a monitor whose budget of the day is spent are dropped. */
  load(job: Job): Promise<PendingRun[]> {
    return this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.requireFence(job);
      await tx.query(
        `DELETE FROM monitors.monitor_runs r USING monitors.monitors t, monitors.monitor_versions v
         WHERE r.company_id = $1 AND r.batch = $2 AND r.outcome IS NULL AND t.company_id = $1 AND t.id = r.monitor_id
           AND v.company_id = $1 AND v.id = r.monitor_version_id
           AND ${IS_BUDGET_SPENT}`,
        [tx.companyId, job.ref],
      );
      return tx.query<PendingRun>(
        `SELECT r.id, r.monitor_id, r.source_type, r.source_id, r.attempts, v.snapshot->'config' AS config
         FROM monitors.monitor_runs r JOIN monitors.monitor_versions v ON v.company_id = r.company_id AND v.id = r.monitor_version_id
         WHERE r.company_id = $1 AND r.batch = $2 AND r.outcome IS NULL ORDER BY r.id`,
        [tx.companyId, job.ref],
      );
    });
  }

  /** Stores outcomes with their events; a failure that may pass is judged again. */
  async store(job: Job, judged: readonly JudgedRun[]): Promise<void> {
    if (judged.length === 0) return;
    const final = judged.filter(isFinal);
    const again = judged.filter((each) => !isFinal(each));
    await this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.requireFence(job);
      if (again.length > 0) {
        await this.countAttempt(tx, again);
        tx.addWork(job.kind, job.ref, RETRY_MS * 2 ** Math.min(...again.map(({ run }) => run.attempts)));
      }
      if (final.length > 0) await this.complete(tx, final, 'outcome IS NULL');
    });
    for (const { judgement } of final)
      runsEnded.inc({
        kind: 'monitor_run',
        status: judgement.outcome,
        failure_class: runOutcome(judgement).failure_class ?? '',
      });
  }

  private async countAttempt(tx: Tx, again: readonly JudgedRun[]): Promise<void> {
    await this.count(tx, again);
    await tx.query(
      `UPDATE monitors.monitor_runs r SET attempts = r.attempts + 1, cost = COALESCE(r.cost + u.c, r.cost, u.c)
       FROM unnest($2::bigint[], $3::double precision[]) u(i, c) WHERE r.company_id = $1 AND r.id = u.i AND r.outcome IS NULL`,
      [
        tx.companyId,
        arrayParameter(
          'bigint',
          again.map(({ run }) => run.id),
        ),
        arrayParameter(
          'double precision',
          again.map(({ judgement }) => judgement.cost),
        ),
      ],
    );
  }

  /** Counts what judgements have cost towards the budgets of their monitors. */
  private async count(tx: Tx, judged: readonly JudgedRun[]): Promise<void> {
    await this.budgets.add(
      tx,
      judged.map(({ run, judgement }) => ({ monitor_id: run.monitor_id, cost: judgement.cost })),
    );
  }

  /**
   * Writes the outcomes of those runs that are still `open`, counts their costs, emits their events, and has alert rules
   * evaluated.
   */
  async complete(tx: Tx, judged: readonly JudgedRun[], open: string): Promise<MonitorRunSummary[]> {
    await this.count(tx, judged);
    const written = await tx.query<MonitorRunSummary>(COMPLETE(open), [
      tx.companyId,
      arrayParameter(
        'bigint',
        judged.map(({ run }) => run.id),
      ),
      ...outcomeArrays(judged.map(({ judgement }) => runOutcome(judgement))),
    ]);
    await this.announce(tx, written);
    return written;
  }

  /** Announces runs that were inserted with their outcome. */
  async inserted(tx: Tx, judged: readonly MonitorRunSummary[]): Promise<void> {
    await this.announce(tx, judged);
    for (const { outcome, failure_class } of judged)
      runsEnded.inc({ kind: 'monitor_run', status: outcome, failure_class: failure_class ?? '' });
  }

  /** Emits the events of runs with an outcome, and has the alert rules of their monitors evaluated. */
  private async announce(tx: Tx, runs: readonly MonitorRunSummary[]): Promise<void> {
    if (runs.length === 0) return;
    tx.emitTogether(runs.map((run) => emission(monitorEvents, 'monitor_run.completed', run.id, run)));
    const counted = runs.filter(({ shadow }) => !shadow);
    await this.alerts.schedule(tx, [...new Set(counted.map(({ monitor_id }) => monitor_id))]);
  }
}
