import type { RequestRecord, TaskRecord, WorkflowRunRecord } from '@signalbox/contracts';
import { sourceOfRequest, sourceOfRun, sourceOfTask } from './source.js';

const request = (change: Partial<RequestRecord>) =>
  sourceOfRequest({ request_id: 'r', intent_id: 7, request_type: 'PROD', ...change } as RequestRecord);
const task = (change: Partial<TaskRecord>) =>
  sourceOfTask({ id: 't', agent_id: 3, parent_task_id: null, trigger: 'API', ...change } as TaskRecord);
const run = (change: Partial<WorkflowRunRecord>) =>
  sourceOfRun({ id: 'w', workflow_id: 4, parent_run_id: null, trigger: 'API', ...change } as WorkflowRunRecord);

describe('a production source', () => {
  it('is a request of an intent', () => {
    expect(request({})).toEqual({ targetId: 7, sourceId: 'r' });
    expect(request({ intent_id: null })).toBeNull();
  });

  it.each(['RERUN', 'SYNTHETIC', 'MANUAL'] as const)('is no %s request', (request_type) => {
    expect(request({ request_type })).toBeNull();
  });

  it.each(['API', 'CHAT', 'WORKFLOW', 'MCP', 'EXTERNAL'] as const)('is a top-level task with the trigger %s', (trigger) => {
    expect(task({ trigger })).toEqual({ targetId: 3, sourceId: 't' });
    expect(task({ trigger, parent_task_id: 'p' })).toBeNull();
  });

  it.each(['TEST', 'MONITOR', 'SUB_AGENT'] as const)('is no task with the trigger %s', (trigger) => {
    expect(task({ trigger })).toBeNull();
  });

  it.each(['API', 'CHAT', 'AGENT'] as const)('is a top-level run of a workflow with the trigger %s', (trigger) => {
    expect(run({ trigger })).toEqual({ targetId: 4, sourceId: 'w' });
    expect(run({ trigger, parent_run_id: 'p' })).toBeNull();
  });

  it.each(['TEST', 'MONITOR', 'NESTED'] as const)('is no run of a workflow with the trigger %s', (trigger) => {
    expect(run({ trigger })).toBeNull();
  });
});
