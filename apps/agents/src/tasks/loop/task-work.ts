/** Kind of the work that is a task. */
export const TASK_WORK = 'agent_task';
/** Kind of the work that is a background action of a task, `<task id>/<step>`. */
export const ACTION_WORK = 'agent_action';
/** Kind of the work that is the end of a hook's life, `<task id>/<step>`. */
export const HOOK_WORK = 'agent_hook';
