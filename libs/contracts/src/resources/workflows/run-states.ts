/** The states of a workflow run. */
export const WORKFLOW_RUN_STATES = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED'] as const;
/** The state of a workflow run. */
export type WorkflowRunStatus = (typeof WORKFLOW_RUN_STATES)[number];
/** What started a workflow run. */
export const WORKFLOW_TRIGGERS = ['API', 'CHAT', 'AGENT', 'TEST', 'MONITOR', 'NESTED'] as const;
/** What started a workflow run. */
export type WorkflowTrigger = (typeof WORKFLOW_TRIGGERS)[number];
/** The levels of log messages. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
/** The level of a log message. */
export type LogLevel = (typeof LOG_LEVELS)[number];
