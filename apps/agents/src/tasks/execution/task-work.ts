export const TASK_WORK = 'agent_task';
/** The reference of the job is `<task id>/<step>`. */
export const ACTION_WORK = 'agent_action';
/** The reference of the job is `<task id>/<step>`. */
export const HOOK_WORK = 'agent_hook';
