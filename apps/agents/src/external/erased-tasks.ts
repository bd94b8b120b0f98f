import type { ReportedTask } from './external-task-rows.js';

/** The tasks whose sessions were deleted, and all below them; a parent precedes its children. */
export function erasedTasks(
  reported: readonly ReportedTask[],
  known: ReadonlyMap<string, { is_erased: boolean }>,
): Set<string> {
  const erased = new Set<string>();
  for (const { task } of reported) {
    const isBelow = task.parent_task_id !== null && erased.has(task.parent_task_id);
    if (isBelow || known.get(task.id)?.is_erased) erased.add(task.id);
  }
  return erased;
}

/** What stays of a task when its session is erased: usage and outcome. */
export const withoutContent = (reported: ReportedTask): ReportedTask => ({
  ...reported,
  task: { ...reported.task, input_messages: [], output: null, timeline: [], feedback: null },
});
