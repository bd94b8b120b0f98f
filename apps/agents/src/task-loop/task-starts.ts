import { Injectable } from '@nestjs/common';
import { TryLater } from '@signalbox/bus';
import type { Job } from '@signalbox/platform';
import { type RunningTask, TaskRuns, TaskWrites } from '../tasks/index.js';
import { InvokeLimit } from '../invocations/index.js';

/** Time in ms for the refusal to reach a caller that waits as long as the task may be queued. */
const REFUSAL_MS = 2000;

/** Tasks of one session run one after the other, in the order of their acceptance. */
@Injectable()
export class TaskStarts {
  private readonly queueMs: number;

  constructor(
    private readonly writes: TaskWrites,
    private readonly runs: TaskRuns,
    limit: InvokeLimit,
  ) {
    this.queueMs = limit.ms - Math.min(REFUSAL_MS, limit.ms / 2);
  }

  /**
   * Throws `TryLater` while an earlier task of the session is open, whose end makes this one due. Null when it was
   * queued too long and was cancelled.
   */
  async start(job: Job, queued: RunningTask): Promise<RunningTask | null> {
    const started = await this.writes.start(job, queued, this.queueMs);
    if (typeof started !== 'number') return started;
    if (started > 0) throw new TryLater(started);
    await this.runs.cancels.cancelQueued(job, job.ref, 'session busy');
    return null;
  }
}
