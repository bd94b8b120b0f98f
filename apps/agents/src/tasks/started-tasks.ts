import { Injectable } from '@nestjs/common';
import { StartedRuns } from '@signalbox/runs';
import type { RunningTask } from './execution/running-task.js';
import type { EndedTask } from './execution/task-end.js';

@Injectable()
export class StartedTasks extends StartedRuns<RunningTask, EndedTask> {}
