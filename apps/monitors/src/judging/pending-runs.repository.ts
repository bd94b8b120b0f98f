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
import { Budgets } from '../budgets/index.js';
import type { Judgement } from './judge.js';
import { outcomeArrays, runOutcome } from './run-outcome.js';
import { COMPLETE_RUNS, COUNT_ATTEMPTS, DROP_STOPPED_RUNS, type OpenRuns, PENDING_RUNS } from './pending-runs.sql.js';

export interface PendingRun {
  id: number;
  monitor_id: number;
  source_type: SourceType;
  source_id: string;
  attempts: number;
  config: MonitorConfig;
}

export interface JudgedRun {
  run: Pick<PendingRun, 'id' | 'monitor_id' | 'attempts'>;
  judgement: Judgement;
}

/** Attempts before a failure is stored. */
const MAX_TRIES = 3;
const RETRY_MS = 1000;

const isFinal = ({ run, judgement }: JudgedRun): boolean =>
  !judgement.failure || !judgement.failure.repeatable || run.attempts + 1 >= MAX_TRIES;

/** SQL: the outcomes of a batch are stored by one fenced statement. */
@Injectable()
export class PendingRuns {
  constructor(
    private readonly db: Database,
    private readonly alerts: MonitorAlerts,
    private readonly budgets: Budgets,
  ) {}

  /** Runs of the job without an outcome. Drops those of monitors that judge nothing now. */
  load(job: Job): Promise<PendingRun[]> {
    return this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.requireFence(job);
      await tx.query(DROP_STOPPED_RUNS, [tx.companyId, job.ref]);
      return tx.query<PendingRun>(PENDING_RUNS, [tx.companyId, job.ref]);
    });
  }

  /** Stores outcomes with their events; repeatable failures are judged again. */
  async store(job: Job, judged: readonly JudgedRun[]): Promise<void> {
    if (judged.length === 0) return;
    const final = judged.filter(isFinal);
    const retried = judged.filter((each) => !isFinal(each));
    await this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.requireFence(job);
      if (retried.length > 0) {
        await this.countAttempt(tx, retried);
        tx.addWork(job.kind, job.ref, RETRY_MS * 2 ** Math.min(...retried.map(({ run }) => run.attempts)));
      }
      if (final.length > 0) await this.complete(tx, final);
    });
    for (const { judgement } of final)
      runsEnded.inc({
        kind: 'monitor_run',
        status: judgement.outcome,
        failure_class: runOutcome(judgement).failure_class ?? '',
      });
  }

  private async countAttempt(tx: Tx, retried: readonly JudgedRun[]): Promise<void> {
    await this.count(tx, retried);
    await tx.query(COUNT_ATTEMPTS, [
      tx.companyId,
      retried.map(({ run }) => run.id),
      arrayParameter(
        'double precision',
        retried.map(({ judgement }) => judgement.cost),
      ),
    ]);
  }

  private async count(tx: Tx, judged: readonly JudgedRun[]): Promise<void> {
    await this.budgets.add(
      tx,
      judged.map(({ run, judgement }) => ({ monitor_id: run.monitor_id, cost: judgement.cost })),
    );
  }

  /**
   * Replaces the outcome of a failed run; false when another retry has judged it meanwhile. Both have made the same
   * call, which is counted once.
   */
  async completeAgain(tx: Tx, judged: JudgedRun): Promise<boolean> {
    const written = await this.write(tx, [judged], `outcome = 'ERROR' AND t.attempts = u.attempts`);
    if (written.length === 0) return false;
    await this.count(tx, [judged]);
    await this.emitCompleted(tx, written);
    return true;
  }

  /** Stores outcomes with costs and events, and schedules alert rules. Runs that are gone were paid for all the same. */
  private async complete(tx: Tx, judged: readonly JudgedRun[]): Promise<void> {
    await this.count(tx, judged);
    await this.emitCompleted(tx, await this.write(tx, judged, 'outcome IS NULL'));
  }

  /** Returns the runs that were still `open`. */
  private write(tx: Tx, judged: readonly JudgedRun[], open: OpenRuns): Promise<MonitorRunSummary[]> {
    return tx.query<MonitorRunSummary>(COMPLETE_RUNS(open), [
      tx.companyId,
      judged.map(({ run }) => run.id),
      judged.map(({ run }) => run.attempts),
      ...outcomeArrays(judged.map(({ judgement }) => runOutcome(judgement))),
    ]);
  }

  /** For runs that were inserted with their outcome. */
  async emitInserted(tx: Tx, judged: readonly MonitorRunSummary[]): Promise<void> {
    await this.emitCompleted(tx, judged);
    for (const { outcome, failure_class } of judged)
      runsEnded.inc({ kind: 'monitor_run', status: outcome, failure_class: failure_class ?? '' });
  }

  private async emitCompleted(tx: Tx, runs: readonly MonitorRunSummary[]): Promise<void> {
    if (runs.length === 0) return;
    tx.emitTogether(runs.map((run) => emission(monitorEvents, 'monitor_run.completed', run.id, run)));
    const counted = runs.filter(({ shadow }) => !shadow);
    await this.alerts.schedule(tx, [...new Set(counted.map(({ monitor_id }) => monitor_id))]);
  }
}
