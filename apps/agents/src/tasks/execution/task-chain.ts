import type { Chain } from '@signalbox/contracts';
import { chainBelow } from '@signalbox/runs';
import { costOf } from '../steps/next-step.js';
import type { RunningTask } from './running-task.js';
import { MAX_TASK_MS } from './task-outcome.js';

/** The working time of a task in milliseconds; it does not grow while its sub-agents work or it waits for a callback. */
export const workedMs = ({ worked_ms, loaded_at }: RunningTask): number => worked_ms + performance.now() - loaded_at;

/** True when a task has used up its working time, or has to end because of what has called it. */
export const isOutOfTime = (task: RunningTask): boolean =>
  workedMs(task) > MAX_TASK_MS || (task.ends_by !== null && Date.now() > task.ends_by);

/** The US dollars that a task has cost as far as this process knows, with its background actions and its routing. */
export const spentBy = ({ steps, usage }: RunningTask): number => Math.max(costOf(steps), usage.cost ?? 0);

/** What is left of the budget of a task; null when it has none. */
export const budgetOf = (task: RunningTask): number | null =>
  task.max_cost === null ? null : Math.max(0, task.max_cost - spentBy(task));

/** The chain of a call that a task makes. Work in the background may outlast its task, and has the time of a task. */
export const chainOf = (task: RunningTask, isBackground = false): Chain =>
  chainBelow(task, {
    until: Math.floor(Date.now() + MAX_TASK_MS - (isBackground ? 0 : workedMs(task))),
    budget: budgetOf(task),
  });
