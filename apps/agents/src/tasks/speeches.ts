import { Injectable } from '@nestjs/common';
import type { Job } from '@signalbox/platform';
import { Followers } from './followers.js';
import type { RunningTask } from './running-task.js';
import { Speech } from './speech.js';
import { TaskProgress } from './task-progress.repository.js';
import { delta } from './told.js';

/** Opens the speeches of models within tasks. */
@Injectable()
export class Speeches {
  constructor(
    private readonly progress: TaskProgress,
    private readonly followers: Followers,
  ) {}

  /**
   * Chosen: an answer that has to be JSON is told in one piece once it is known to fit, for a misfit is asked for again
   * and half a JSON text is of no use.
   */
  open(job: Job, task: RunningTask, step: number): Speech {
    const isText = task.response_format === null || task.response_format.type === 'text';
    const speech = new Speech({
      isWanted: isText && this.followers.isExpected(task.id),
      tell: (content, restart) => this.progress.say(job, task.id, delta(content, step, restart)),
      isFollowed: () => this.followers.isFollowed(task.id),
      onFollow: (heard) => this.followers.onFollow(task.id, heard),
      stale: task.last_told === step,
    });
    return speech;
  }
}
