import type { TaskStatus } from '@signalbox/contracts';
import { RUN_TRANSITIONS, statesOf } from '@signalbox/runs/rules';

/** The triggers of a task. */
export const TASK_TRIGGERS = ['start', 'wait', 'resume', 'complete', 'fail', 'cancel'] as const;
/** A trigger of a task. */
export type TaskTrigger = (typeof TASK_TRIGGERS)[number];

/** The states of tasks. */
export const taskStates = statesOf<TaskStatus, TaskTrigger>('task', RUN_TRANSITIONS);
