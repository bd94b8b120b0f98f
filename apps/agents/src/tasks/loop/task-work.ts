import type { Job } from '@signalbox/platform';

/** Kind of the work that is a task. */
export const TASK_WORK = 'agent_task';
/** Kind of the work that is a background action of a task, `<task id>/<step>`. */
export const ACTION_WORK = 'agent_action';

/** The task that a piece of work belongs to. */
export const taskOf = (job: Job): string => job.ref.split('/', 1)[0] ?? '';
