import { Injectable } from '@nestjs/common';
import type { Job } from '@signalbox/platform';
import { StreamSubscribers } from '@signalbox/runs';
import { type RunningTask, TaskRuns } from '../tasks/index.js';
import { AnswerStream, delta } from '../models/index.js';

/** Opens the answer streams of model calls within tasks. */
@Injectable()
export class AnswerStreams {
  constructor(
    private readonly runs: TaskRuns,
    private readonly subscribers: StreamSubscribers,
  ) {}

  /**
   * Chosen: a JSON answer is emitted as a whole after validation, because an answer that does not fit is retried and
   * partial JSON is of no use.
   */
  open(job: Job, task: RunningTask, step: number): AnswerStream {
    const isText = task.response_format === null || task.response_format.type === 'text';
    return new AnswerStream({
      isEnabled: isText && this.subscribers.expectsSubscriber(task.id),
      emit: (content, restart) => this.runs.writes.append(job, task.id, delta(content, step, restart)),
      hasSubscriber: () => this.subscribers.hasSubscriber(task.id),
      onSubscriber: (callback) => this.subscribers.onSubscriber(task.id, callback),
      stale: task.last_streamed_step === step,
    });
  }
}
