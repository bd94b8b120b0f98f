import { Injectable } from '@nestjs/common';
import { TryLater } from '@signalbox/bus';
import type { Job } from '@signalbox/platform';
import { RunEndedError } from '@signalbox/runs';
import type { RunningTask } from './running-task.js';
import { TaskRuns } from '../task-runs.repository.js';
import { TaskWrites } from '../task-writes.repository.js';
import { Tasks } from '../tasks.repository.js';
import { InvokeLimit } from '../submission/task-settings.js';

/** Time for the refusal to reach a caller that waits as long as the task may be queued. */
const REFUSAL_MS = 2000;

/** Starts tasks. Those of one session run one after the other, in the order of their acceptance. */
@Injectable()
export class TaskStarts {
  private readonly queueMs: number;

  constructor(
    private readonly tasks: Tasks,
    private readonly writes: TaskWrites,
    private readonly runs: TaskRuns,
    limit: InvokeLimit,
  ) {
    this.queueMs = limit.ms - Math.min(REFUSAL_MS, limit.ms / 2);
  }

  /**
   * Returns the started task. While an earlier task of its session is open throws `TryLater`; the end of that task
   * makes it due. Null when it was queued too long and was cancelled.
   */
  async start(job: Job): Promise<RunningTask | null> {
    const leftMs = await this.writes.start(job, this.queueMs);
    if (leftMs !== null) return this.queued(job, leftMs);
    const task = await this.tasks.load(job.companyId, job.ref);
    if (!task) throw new RunEndedError();
    return task;
  }

  private async queued(job: Job, leftMs: number): Promise<null> {
    if (leftMs > 0) throw new TryLater(leftMs);
    await this.runs.cancels.cancelQueued(job, job.ref, 'session busy');
    return null;
  }
}
