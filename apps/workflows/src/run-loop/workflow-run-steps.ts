import { Injectable } from '@nestjs/common';
import type { Job } from '@signalbox/platform';
import { type Attempt, type LostReason, retriedPart, type RunSteps } from '@signalbox/runs';
import {
  EXECUTIONS_LOST,
  INTERRUPTED,
  MAX_LOST_EXECUTIONS,
  type RunningRun,
  type RunOutcome,
  RunProgress,
  SECRETS_UNAVAILABLE,
  StartedWorkflowRuns,
  WorkflowRuns,
} from '../runs/index.js';
import { RunExecutor } from './run-executor.js';
import { ExecutionLost } from './execution-lost.js';

type RunAct = { kind: 'execute' } | { kind: 'end'; outcome: RunOutcome };

/**
 * A run has one step: its script. A worker that takes over a run starts the script from its beginning; stored results
 * of the script are not computed again.
 */
@Injectable()
export class WorkflowRunSteps implements RunSteps<RunningRun, RunAct, never> {
  /** Runs that an earlier attempt started. */
  private readonly resumed = new WeakSet<RunningRun>();

  constructor(
    private readonly runs: WorkflowRuns,
    private readonly progress: RunProgress,
    private readonly executor: RunExecutor,
    private readonly started: StartedWorkflowRuns,
  ) {}

  /** A run that this process just accepted and started need not be read. */
  load(companyId: number, id: string): Promise<RunningRun | null> {
    const started = this.started.take(id);
    return started ? Promise.resolve(started) : this.runs.load(companyId, id);
  }

  start(job: Job, run: RunningRun): Promise<RunningRun> {
    return this.progress.start(job, run);
  }

  resume(_job: Job, run: RunningRun): Promise<RunningRun> {
    if (!this.started.isFresh(run)) this.resumed.add(run);
    return Promise.resolve(run);
  }

  next(): RunAct {
    return { kind: 'execute' };
  }

  isEnd({ kind }: RunAct): boolean {
    return kind === 'end';
  }

  async act(attempt: Attempt<RunningRun>): Promise<{ end: RunAct }> {
    const { job, run } = attempt;
    const current = this.resumed.has(run) ? await this.progress.restart(job, run) : run;
    try {
      return { end: { kind: 'end', outcome: await this.executor.execute({ ...attempt, run: current }) } };
    } catch (error) {
      if (!(error instanceof ExecutionLost) || error.isOutage) throw error;
      if ((await this.progress.lost(job, run)) < MAX_LOST_EXECUTIONS) throw error;
      return { end: { kind: 'end', outcome: EXECUTIONS_LOST } };
    }
  }

  record(): Promise<null> {
    return Promise.resolve(null);
  }

  /** After a commit whose reply was lost the repeat meets an ended run, which is the end of the job as well. */
  async end({ job, run, signal }: Attempt<RunningRun>, act: RunAct): Promise<void> {
    if (act.kind === 'end') await retriedPart(signal, () => this.progress.end(job, run, act.outcome));
  }

  async endLost(job: Job, reason: LostReason): Promise<void> {
    await this.progress.end(job, { id: job.ref }, reason === 'interrupted' ? INTERRUPTED : SECRETS_UNAVAILABLE);
  }
}
