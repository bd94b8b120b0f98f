import { Module } from '@nestjs/common';
import { EvaluationModule } from '@signalbox/conditions';
import { RunsModule } from '@signalbox/runs';
import { ActionsModule } from '../actions/index.js';
import { ModelsModule } from '../models/index.js';
import { StartedTasks } from './started-tasks.js';
import { ActionEffect } from './steps/action-effect.js';
import { ModelEffect } from './steps/model-effect.js';
import { TaskCancellations } from './task-cancellations.js';
import { TaskPayloadHandlers } from './task-payloads.handlers.js';
import { TaskRuns } from './task-runs.repository.js';
import { TaskWrites } from './task-writes.repository.js';
import { Tasks } from './tasks.repository.js';

const TASK_RUNS = RunsModule.forRuns(TaskRuns);

@Module({
  imports: [ActionsModule, EvaluationModule, ModelsModule, TASK_RUNS],
  controllers: [TaskPayloadHandlers],
  providers: [ActionEffect, ModelEffect, StartedTasks, TaskCancellations, Tasks, TaskWrites],
  exports: [ActionEffect, ModelEffect, StartedTasks, TASK_RUNS, TaskCancellations, Tasks, TaskWrites],
})
export class TasksModule {}
