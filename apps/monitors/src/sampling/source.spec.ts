import type { RequestRecord, TaskRecord } from '@signalbox/contracts';
import { sourceOfRequest, sourceOfTask } from './source.js';

const request = (change: Partial<RequestRecord>) =>
  sourceOfRequest({ request_id: 'r', intent_id: 7, request_type: 'PROD', ...change } as RequestRecord);
const task = (change: Partial<TaskRecord>) =>
  sourceOfTask({ id: 't', agent_id: 3, parent_task_id: null, trigger: 'API', ...change } as TaskRecord);

describe('a production source', () => {
  it('is a request of an intent', () => {
    expect(request({})).toEqual({ targetId: 7, sourceId: 'r' });
    expect(request({ intent_id: null })).toBeNull();
  });

  it.each(['RERUN', 'SYNTHETIC', 'MANUAL'] as const)('is no %s request', (request_type) => {
    expect(request({ request_type })).toBeNull();
  });

  it.each(['API', 'CHAT', 'WORKFLOW'] as const)('is a top-level task with the trigger %s', (trigger) => {
    expect(task({ trigger })).toEqual({ targetId: 3, sourceId: 't' });
    expect(task({ trigger, parent_task_id: 'p' })).toBeNull();
  });

  it.each(['TEST', 'MONITOR', 'SUB_AGENT'] as const)('is no task with the trigger %s', (trigger) => {
    expect(task({ trigger })).toBeNull();
  });
});
