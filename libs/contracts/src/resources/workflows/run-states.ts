export const WORKFLOW_RUN_STATES = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED'] as const;
export type WorkflowRunStatus = (typeof WORKFLOW_RUN_STATES)[number];
export const WORKFLOW_TRIGGERS = ['API', 'CHAT', 'AGENT', 'TEST', 'MONITOR', 'NESTED'] as const;
export type WorkflowTrigger = (typeof WORKFLOW_TRIGGERS)[number];
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
