import type { RunTimelineEvent, TimelineEvent } from '@signalbox/contracts';
import { stepsOfRun, stepsOfTask } from './item-steps.js';

const event = (type: string, more: object): TimelineEvent =>
  ({ type, task_id: 't', parent_task_id: null, seq: 1, timestamp: 1, ...more }) as never;
const invoked = (action_name: string, given: unknown = {}) =>
  event('action_invoked', { action_name, arguments: given });
const result = (action_name: string, more: object = {}) =>
  event('action_result', { action_name, status: 'SUCCESS', output: { ok: true }, duration_ms: 5, ...more });
const run = (type: string, more: object): RunTimelineEvent =>
  ({ type, run_id: 'r', parent_run_id: null, seq: 1, timestamp: 1, ...more }) as never;

const order = stepsOfTask('COMPLETED', [
  event('task_start', {}),
  invoked('find order', { order: { id: 7, tags: ['new', 'paid'] }, q: 'shoes, red' }),
  result('find order'),
  invoked('refund', { id: 7 }),
  invoked('refund', { id: '8' }),
  result('refund', { status: 'ERROR', message: 'too late', output: null }),
  result('refund'),
  event('sub_agent_invoked', { child_agent_name: 'Writer', result: { status: 'COMPLETED', output: 'x' } }),
]);

describe('the steps of a task', () => {
  it('are its calls, each with the result that follows it', () => {
    expect(order.calls.map(({ tool, status, error }) => [tool, status, error])).toEqual([
      ['find order', 'SUCCESS', null],
      ['refund', 'ERROR', 'too late'],
      ['refund', 'SUCCESS', null],
      ['Writer', 'SUCCESS', null],
    ]);
    expect(order.calls[0]).toMatchObject({ output: { ok: true }, duration_ms: 5 });
  });
});

describe('calls of one tool at the same time', () => {
  it('each have the result of their own step', () => {
    const at = (step: number, each: TimelineEvent): TimelineEvent => ({ ...each, step });
    const { calls } = stepsOfTask('COMPLETED', [
      at(1, invoked('look_up', { order: 7 })),
      at(2, invoked('look_up', { order: 8 })),
      at(2, result('look_up', { output: 'eight' })),
      at(1, result('look_up', { output: 'seven' })),
    ]);
    expect(calls.map((call) => [call.arguments, call.output])).toEqual([
      [{ order: 7 }, 'seven'],
      [{ order: 8 }, 'eight'],
    ]);
  });
});

describe('the steps of a workflow run', () => {
  it('are those of its last attempt, with each called workflow once', () => {
    const steps = stepsOfRun('COMPLETED', [
      run('call', { member: 'http.fetch', status: 'ERROR', about: { host: 'a', error: 'FetchError' } }),
      run('run_restart', { attempt: 2 }),
      run('step', { name: 'load', status: 'KEPT' }),
      run('child_run', { child_run_id: 'c', ref: 'other', status: 'QUEUED' }),
      run('call', { member: 'http.fetch', status: 'SUCCESS', about: { host: 'a' } }),
      run('child_run', { child_run_id: 'c', ref: 'other', status: 'FAILED' }),
      run('model_answered', { failure_class: 'timeout' }),
    ]);
    expect(steps.calls.map(({ tool, status }) => [tool, status])).toEqual([
      ['load', 'SUCCESS'],
      ['other', 'ERROR'],
      ['http.fetch', 'SUCCESS'],
    ]);
    expect(steps.failures).toEqual(['a call of a model failed: timeout']);
  });

  const below = (run_id: string, type: string, more: object): RunTimelineEvent => ({
    ...run(type, more),
    ...{ run_id, parent_run_id: 'r' },
  });

  it('include those of nested runs that a restarted script has found ended', () => {
    const { calls, failures } = stepsOfRun('COMPLETED', [
      run('child_run', { child_run_id: 'a', ref: 'ended', status: 'QUEUED' }),
      below('a', 'call', { member: 'http.fetch', status: 'SUCCESS', about: { host: 'a' } }),
      below('a', 'model_answered', { failure_class: 'timeout' }),
      below('a', 'run_end', { status: 'COMPLETED' }),
      run('child_run', { child_run_id: 'a', ref: 'ended', status: 'COMPLETED' }),
      run('child_run', { child_run_id: 'b', ref: 'interrupted', status: 'QUEUED' }),
      below('b', 'call', { member: 'agents.invoke', status: 'SUCCESS', about: null }),
      run('child_run', { child_run_id: 'c', ref: 'left', status: 'QUEUED' }),
      run('run_restart', { attempt: 2 }),
      run('child_run', { child_run_id: 'a', ref: 'ended', status: 'COMPLETED' }),
      below('b', 'call', { member: 'agents.invoke', status: 'SUCCESS', about: null }),
      below('b', 'run_end', { status: 'COMPLETED' }),
      run('child_run', { child_run_id: 'b', ref: 'interrupted', status: 'COMPLETED' }),
      below('c', 'run_end', { status: 'CANCELLED' }),
    ]);
    expect(calls.map(({ tool, status }) => [tool, status])).toEqual([
      ['ended', 'SUCCESS'],
      ['http.fetch', 'SUCCESS'],
      ['interrupted', 'SUCCESS'],
      ['agents.invoke', 'SUCCESS'],
    ]);
    expect(failures).toEqual(['a call of a model failed: timeout']);
  });
});
