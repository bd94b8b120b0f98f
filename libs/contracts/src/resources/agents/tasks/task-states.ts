export const TASK_STATES = ['QUEUED', 'RUNNING', 'WAITING_WEBHOOK', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type TaskStatus = (typeof TASK_STATES)[number];
export const TASK_TRIGGERS = ['API', 'CHAT', 'WORKFLOW', 'TEST', 'SUB_AGENT', 'MONITOR', 'MCP', 'EXTERNAL'] as const;
