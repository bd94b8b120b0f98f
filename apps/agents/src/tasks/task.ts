import { conflict, type TaskStatus } from '@signalbox/contracts';

/** What can happen to a task. */
export const TASK_TRIGGERS = ['start', 'wait', 'resume', 'complete', 'fail', 'cancel'] as const;
/** One thing that can happen to a task. */
export type TaskTrigger = (typeof TASK_TRIGGERS)[number];

const MOVES: Record<TaskStatus, Partial<Record<TaskTrigger, TaskStatus>>> = {
  QUEUED: { start: 'RUNNING', cancel: 'CANCELLED' },
  RUNNING: { wait: 'WAITING_WEBHOOK', complete: 'COMPLETED', fail: 'FAILED', cancel: 'CANCELLED' },
  WAITING_WEBHOOK: { resume: 'RUNNING', fail: 'FAILED', cancel: 'CANCELLED' },
  COMPLETED: {},
  FAILED: {},
  CANCELLED: {},
};

/** A task in a terminal state never leaves it. */
export const isTerminal = (status: TaskStatus): boolean => Object.keys(MOVES[status]).length === 0;

/** The state after the trigger; 409 when the state does not allow it. */
export function move(task: { id: string; status: TaskStatus }, trigger: TaskTrigger): TaskStatus {
  const next = MOVES[task.status][trigger];
  if (!next) throw conflict(`task ${task.id} is ${task.status}: it cannot ${trigger}`);
  return next;
}
