import { type DynamicModule, Module } from '@nestjs/common';
import type { ProcessRole } from '@signalbox/bus';
import { jobsOfHooks, provideRuns, runWorkProviders, type RunWorkSettings } from '@signalbox/runs';
import { HooksModule } from '../hooks/index.js';
import { InvocationsModule } from '../invocations/index.js';
import { RoutingModule } from '../routing/index.js';
import { SubAgentsModule } from '../sub-agents/index.js';
import { ACTION_WORK, HOOK_WORK, INTERRUPTED, TaskRuns, TasksModule, TaskWrites } from '../tasks/index.js';
import { BackgroundActions } from './background-actions.js';
import { ChildTasks } from './child-tasks.js';
import { StepEffects } from './step-effects.js';
import { TaskLoop } from './task-loop.js';
import { TaskStarts } from './task-starts.js';

const never = new AbortController().signal;

const TASK_RUNS = provideRuns(TaskRuns, TaskLoop, {
  inject: [BackgroundActions, TaskWrites],
  from: (background: BackgroundActions, writes: TaskWrites) => [
    {
      work: ACTION_WORK,
      held: true,
      run: (job, signal) => background.run(job, signal),
      onExhausted: (job) => background.run(job, never, INTERRUPTED.error_message),
    },
    jobsOfHooks(HOOK_WORK, (job) => writes.expireHook(job)),
  ],
});

/** In a process of the role `api`, only what starts a task with its acceptance. */
@Module({})
export class TaskLoopModule {
  static with(settings: RunWorkSettings, role: ProcessRole): DynamicModule {
    return {
      module: TaskLoopModule,
      imports: [HooksModule, InvocationsModule, RoutingModule, SubAgentsModule, TasksModule],
      providers: [
        BackgroundActions,
        ChildTasks,
        StepEffects,
        TaskStarts,
        ...runWorkProviders([TASK_RUNS], settings, role),
      ],
    };
  }
}
