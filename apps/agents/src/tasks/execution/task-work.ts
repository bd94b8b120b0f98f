export const TASK_WORK = 'agent_task';
/** Kind of the work of running a background action; its reference is `<task id>/<step>`. */
export const ACTION_WORK = 'agent_action';
/** Kind of the work of expiring a hook; its reference is `<task id>/<step>`. */
export const HOOK_WORK = 'agent_hook';
