import type { RequestRecord, TaskRecord, WorkflowRunRecord } from '@signalbox/contracts';

/** The fields of events that are read here, which the consumers declare. */
export type CompletedRequest = Pick<RequestRecord, 'request_id' | 'intent_id' | 'request_type'>;
export type CompletedTask = Pick<TaskRecord, 'id' | 'agent_id' | 'parent_task_id' | 'trigger'>;
export type CompletedRun = Pick<WorkflowRunRecord, 'id' | 'workflow_id' | 'parent_run_id' | 'trigger'>;

/** Triggers of production tasks: no tests or judgements, and sub-agents only as part of their parent. */
const PRODUCTION: readonly TaskRecord['trigger'][] = ['API', 'CHAT', 'WORKFLOW', 'MCP', 'EXTERNAL'];

/** Null without an intent, and for other than production traffic. */
export const sourceOfRequest = ({ intent_id, request_type, request_id }: CompletedRequest) =>
  intent_id === null || request_type !== 'PROD' ? null : { targetId: intent_id, sourceId: request_id };

/** Null below another task, and for other than production traffic. */
export const sourceOfTask = ({ id, agent_id, parent_task_id, trigger }: CompletedTask) =>
  parent_task_id !== null || !PRODUCTION.includes(trigger) ? null : { targetId: agent_id, sourceId: id };

/** Triggers of production runs: no tests or judgements, no parts of other runs. */
const PRODUCTION_RUNS: readonly WorkflowRunRecord['trigger'][] = ['API', 'CHAT', 'AGENT'];

/** Null for a nested run, and for other than production traffic. */
export const sourceOfRun = ({ id, workflow_id, parent_run_id, trigger }: CompletedRun) =>
  parent_run_id !== null || !PRODUCTION_RUNS.includes(trigger) ? null : { targetId: workflow_id, sourceId: id };
