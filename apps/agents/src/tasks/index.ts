export {
  type EndedTask,
  invocationError,
  invocationHeaders,
  invocationOf,
  stillRunning,
  waitingInvocation,
} from './execution/task-end.js';
export { JudgedUsage, OverBudget } from './execution/judged-usage.js';
export { budgetOf, chainOf, isOutOfTime, loopStateOf, type RunningTask, spentBy } from './execution/running-task.js';
export {
  INTERRUPTED,
  type Outcome,
  SECRETS_UNAVAILABLE,
  type StepRecord,
  type TaskAct,
  type TaskEnd,
  TIMED_OUT,
} from './execution/task-outcome.js';
export { ACTION_WORK, HOOK_WORK, TASK_WORK } from './execution/task-work.js';
export type { ActionStep } from './model/conversation.js';
export { addToState } from './session-state.repository.js';
export { StartedTasks } from './started-tasks.js';
export { ActionEffect, blank, callOf } from './steps/action-effect.js';
export { ModelEffect } from './steps/model-effect.js';
export { isPaid, nextStep, overBudget, unlimitedStep } from './steps/next-step.js';
export type { AskModel, CallChild, Fail, Next, RunAction } from './steps/next.js';
export { stateStep } from './steps/state-step.js';
export { delta, modelFailed, stateUpdated, taskStarted } from './steps/step-events.js';
export { TaskStepRow } from './steps/task-step.entity.js';
export { TaskCancellations } from './task-cancellations.js';
export { TaskEventRow, TaskTimelineRow } from './task-events.entity.js';
export { TASK_RECORD } from './task-record.js';
export { TaskRuns } from './task-runs.repository.js';
export { TaskWrites } from './task-writes.repository.js';
export { sessionHistory } from './task-starts.repository.js';
export { TaskRow } from './task.entity.js';
export { taskStates } from './task.js';
export { taskView } from './task-view.sql.js';
export { TasksModule } from './tasks.module.js';
export { missingTask, Tasks } from './tasks.repository.js';
export { taskLifecycle, type TaskRecord } from './steps/step-events.js';
