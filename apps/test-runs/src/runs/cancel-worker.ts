import { Injectable } from '@nestjs/common';
import { BusClient, serviceCaller, TryLater } from '@signalbox/bus';
import { ApiError, type ConsumerKind, tasks, workflowRuns } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import type { RunJobs } from '@signalbox/runs';
import { CALL_CANCEL, CANCEL_WORK, type LockedTestRun, TestRunRows } from '../run-records/index.js';
import { FORGET_CALLS, STARTED_CALLS } from './cancelled-calls.sql.js';

const CANCEL_MS = 5000;
const RETRY_MS = 2000;
/** A call that was sent before the cancellation has arrived by then. */
const UNKNOWN_MS = 30_000;
const AT_ONCE = 8;

interface StartedWork {
  call_id: string;
  cancelled_at: number;
}

interface ItemWork extends StartedWork {
  id: number;
}

type Consumer = Pick<LockedTestRun, 'consumer_kind' | 'consumer_id'>;

/**
 * The worker of an item cancels its call too; this job also finds calls of lost workers.
 *
 * SQL: the items are those that still have the id of a call.
 */
@Injectable()
export class CancelWorker {
  constructor(
    private readonly db: Database,
    private readonly rows: TestRunRows,
    private readonly bus: BusClient,
  ) {}

  get jobs(): RunJobs[] {
    const ofRun = (job: Job) => this.run(job);
    const ofCall = (job: Job) => this.cancelCall(job);
    return [
      { work: CANCEL_WORK, held: false, run: ofRun, onExhausted: ofRun },
      { work: CALL_CANCEL.name, held: false, run: ofCall, onExhausted: ofCall },
    ];
  }

  private async cancelCall({ companyId, ref }: Job): Promise<void> {
    const { consumer_kind, ...call } = CALL_CANCEL.read(ref);
    const consumer = { consumer_kind: consumer_kind as ConsumerKind, consumer_id: call.consumer_id };
    if (!(await this.cancel(companyId, consumer, call))) throw new TryLater(RETRY_MS);
  }

  private async run(job: Job): Promise<void> {
    const { companyId, ref } = job;
    const run = await this.rows.load(companyId, ref);
    // A run whose other items are executed again meanwhile has calls to cancel as well.
    if (!run) return;
    const started = await this.started(companyId, ref);
    let isOver = true;
    // A call that is not found yet does not delay those after it.
    for (let at = 0; at < started.length; at += AT_ONCE) {
      const some = started.slice(at, at + AT_ONCE);
      const ended = await Promise.all(some.map((item) => this.cancel(companyId, run, item)));
      await this.forget(
        companyId,
        some.filter((_, nth) => ended[nth]).map(({ id }) => id),
      );
      isOver &&= !ended.includes(false);
    }
    if (!isOver) throw new TryLater(RETRY_MS);
  }

  private started(companyId: number, runId: string): Promise<ItemWork[]> {
    return this.db.select<ItemWork>(companyId, STARTED_CALLS, [runId]);
  }

  /** False to repeat it: the service is down, or the call that starts the work may still arrive. */
  private async cancel(companyId: number, run: Consumer, { call_id, cancelled_at }: StartedWork): Promise<boolean> {
    const caller = serviceCaller(companyId, Date.now() + CANCEL_MS);
    try {
      if (run.consumer_kind === 'WORKFLOW')
        await this.bus.call(workflowRuns.endpoints.cancelRun, { run_id: call_id }, caller);
      else if (run.consumer_kind === 'AGENT' && run.consumer_id !== null)
        await this.bus.call(tasks.endpoints.cancelTask, { agent_id: run.consumer_id, task_id: call_id }, caller);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.kind === 'not_found') return Date.now() > cancelled_at + UNKNOWN_MS;
      return error.kind !== 'unavailable' && error.kind !== 'timeout';
    }
  }

  private async forget(companyId: number, ids: readonly number[]): Promise<void> {
    await this.db.withCompany({ companyId }, (tx) => tx.query(FORGET_CALLS, [tx.companyId, ids]));
  }
}
