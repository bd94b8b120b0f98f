/** The states of a task. */
export const TASK_STATES = ['QUEUED', 'RUNNING', 'WAITING_WEBHOOK', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
/** The state of a task. */
export type TaskStatus = (typeof TASK_STATES)[number];
/** What started a task. */
export const TASK_TRIGGERS = ['API', 'CHAT', 'WORKFLOW', 'TEST', 'SUB_AGENT', 'MONITOR', 'MCP', 'EXTERNAL'] as const;
