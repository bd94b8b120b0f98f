import { Injectable } from '@nestjs/common';
import type { JsonText, WorkflowRun } from '@signalbox/contracts';
import type { RunningRun } from '../running-run.js';

/** The reply of a call that waits in this process for a run which this process executes. */
export class PendingReply {
  private run: JsonText<WorkflowRun> | null = null;
  private isFirst = true;

  /** Sets the run as it has ended; called after the commit of its end. */
  ended(run: JsonText<WorkflowRun> | null): void {
    this.run = run;
  }

  /** The ended run; reads it when this process does not know it, except at the first time, when it has just started. */
  find(read: () => Promise<JsonText<WorkflowRun> | null>): Promise<JsonText<WorkflowRun> | null> {
    const isNew = this.isFirst && this.run === null;
    this.isFirst = false;
    return isNew ? Promise.resolve(null) : this.run ? Promise.resolve(this.run) : read();
  }
}

/**
 * Runs that this process has started in the transaction that accepts them: its worker executes them without a look-up,
 * and passes their end to the caller that waits for it. All of it is memory: a run that is not found here is read.
 */
@Injectable()
export class StartedRuns {
  private readonly runs = new Map<string, RunningRun>();
  private readonly taken = new WeakSet<RunningRun>();
  private readonly replies = new Map<string, PendingReply>();

  /** Offers a run to the worker, which begins with it right after the commit. */
  offer(run: RunningRun): void {
    this.runs.set(run.id, run);
    if (run.mode === 'sync') this.replies.set(run.id, new PendingReply());
  }

  /** The run, once; null when it was not offered. */
  take(id: string): RunningRun | null {
    const run = this.runs.get(id);
    this.runs.delete(id);
    if (run) this.taken.add(run);
    return run ?? null;
  }

  /** True for a run whose script this process has not begun before. */
  isFresh(run: RunningRun): boolean {
    return this.taken.has(run);
  }

  /** Ends the offer: the worker that has not taken the run by now, or whose attempt is another one, reads it. */
  withdraw(id: string): void {
    this.runs.delete(id);
  }

  replyOf(id: string): PendingReply | undefined {
    return this.replies.get(id);
  }

  /** Forgets the reply of a call that does not wait any longer. */
  forgetReply(id: string): void {
    this.replies.delete(id);
  }
}
