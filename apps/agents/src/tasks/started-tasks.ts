import { Injectable } from '@nestjs/common';
import { StartedRuns } from '@signalbox/runs';
import type { RunningTask } from './execution/running-task.js';
import type { EndedTask } from './execution/task-end.js';

/** Tasks that this process has started in the transaction that accepts them. */
@Injectable()
export class StartedTasks extends StartedRuns<RunningTask, EndedTask> {}
