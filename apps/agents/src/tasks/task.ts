import type { TaskStatus } from '@signalbox/contracts';
import { RUN_TRANSITIONS, statesOf } from '@signalbox/runs/rules';

export const TASK_TRIGGERS = ['start', 'wait', 'resume', 'complete', 'fail', 'cancel'] as const;
export type TaskTrigger = (typeof TASK_TRIGGERS)[number];

export const taskStates = statesOf<TaskStatus, TaskTrigger>('task', RUN_TRANSITIONS);
