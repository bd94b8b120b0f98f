import { Injectable } from '@nestjs/common';
import type { Job } from '@signalbox/platform';
import { StreamSubscribers } from '@signalbox/runs';
import type { RunningTask } from '../loop/running-task.js';
import { AnswerStream } from './answer-stream.js';
import { TaskRuns } from '../task-runs.repository.js';
import { delta } from './delivered-text.js';

/** Opens the speeches of models within tasks. */
@Injectable()
export class AnswerStreams {
  constructor(
    private readonly runs: TaskRuns,
    private readonly subscribers: StreamSubscribers,
  ) {}

  /**
   * Chosen: an answer that has to be JSON is told in one piece once it is known to fit, for a misfit is asked for again
   * and half a JSON text is of no use.
   */
  open(job: Job, task: RunningTask, step: number): AnswerStream {
    const isText = task.response_format === null || task.response_format.type === 'text';
    const speech = new AnswerStream({
      isWanted: isText && this.subscribers.isExpected(task.id),
      tell: (content, restart) => this.runs.writes.append(job, task.id, delta(content, step, restart)),
      isFollowed: () => this.subscribers.isFollowed(task.id),
      onFollow: (heard) => this.subscribers.onFollow(task.id, heard),
      stale: task.last_told === step,
    });
    return speech;
  }
}
