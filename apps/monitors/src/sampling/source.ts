import type { RequestRecord, TaskRecord, WorkflowRunRecord } from '@signalbox/contracts';

/** What is read of the events of sources; their consumers declare it. */
export type CompletedRequest = Pick<RequestRecord, 'request_id' | 'intent_id' | 'request_type'>;
export type CompletedTask = Pick<TaskRecord, 'id' | 'agent_id' | 'parent_task_id' | 'trigger'>;
export type CompletedRun = Pick<WorkflowRunRecord, 'id' | 'workflow_id' | 'parent_run_id' | 'trigger'>;

/** What started tasks that are production: not tests, not judgements, and sub-agents only as part of their parent. */
const PRODUCTION: readonly TaskRecord['trigger'][] = ['API', 'CHAT', 'WORKFLOW', 'MCP', 'EXTERNAL'];

/** The source of a recorded request; null for one without an intent and for one that is no production traffic. */
export const sourceOfRequest = ({ intent_id, request_type, request_id }: CompletedRequest) =>
  intent_id === null || request_type !== 'PROD' ? null : { targetId: intent_id, sourceId: request_id };

/** The source of a completed task; null for one below another task and for one that is no production traffic. */
export const sourceOfTask = ({ id, agent_id, parent_task_id, trigger }: CompletedTask) =>
  parent_task_id !== null || !PRODUCTION.includes(trigger) ? null : { targetId: agent_id, sourceId: id };

/** What started runs of workflows that are production: not tests, not judgements, not parts of other runs. */
const PRODUCTION_RUNS: readonly WorkflowRunRecord['trigger'][] = ['API', 'CHAT', 'AGENT'];

/** The source of a completed run of a workflow; null for a nested one and for one that is no production traffic. */
export const sourceOfRun = ({ id, workflow_id, parent_run_id, trigger }: CompletedRun) =>
  parent_run_id !== null || !PRODUCTION_RUNS.includes(trigger) ? null : { targetId: workflow_id, sourceId: id };
