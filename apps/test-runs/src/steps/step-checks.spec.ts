import type { TextTest } from '@signalbox/conditions';
import type { RunTimelineEvent, StepCheck, TimelineEvent } from '@signalbox/contracts';
import { type ItemSteps, stepsOfRun, stepsOfTask } from './item-steps.js';
import { checkSteps } from './step-checks.js';

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

const tests = {
  passes: (_companyId: number, { pattern, text }: TextTest) => Promise.resolve(new RegExp(pattern).test(text)),
};
const find = (steps: ItemSteps, ...checks: StepCheck[]) => checkSteps(1, checks, steps, tests);

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
});

describe('checks on steps', () => {
  it.each<[StepCheck, true | string]>([
    [{ kind: 'called', tool: 'refund' }, true],
    [{ kind: 'called', tool: 'refund', min_times: 2, max_times: 2 }, true],
    [{ kind: 'called', tool: 'refund', max_times: 1 }, 'refund was called twice, expected once'],
    [
      { kind: 'called', tool: 'refund', min_times: 3 },
      'refund was called twice, expected at least 3 times; called: find order, refund, refund, Writer',
    ],
    [
      { kind: 'called', tool: 'pay' },
      'pay was not called, expected at least once; called: find order, refund, refund, Writer',
    ],
    [{ kind: 'not_called', tool: 'pay' }, true],
    [{ kind: 'not_called', tool: 'Writer' }, 'Writer was called once, expected never'],
    [{ kind: 'not_called', tool: 'refund', arguments: [{ path: 'id', equals: 9 }] }, true],
    [
      {
        kind: 'called',
        tool: 'find order',
        arguments: [
          { path: 'order.id', equals: 7 },
          { path: 'q', contains: 'red' },
        ],
      },
      true,
    ],
    [{ kind: 'called', tool: 'find order', arguments: [{ path: 'order.tags', equals: ['new', 'paid'] }] }, true],
    [{ kind: 'called', tool: 'find order', arguments: [{ path: 'order.tags[1]', matches: '^pa' }] }, true],
    [{ kind: 'called', tool: 'find order', arguments: [{ contains: '"id":7' }] }, true],
    // The conditions of one check hold for the same call.
    [
      {
        kind: 'called',
        tool: 'refund',
        arguments: [
          { path: 'id', equals: 7 },
          { path: 'id', equals: 8 },
        ],
      },
      'refund with these arguments was not called, expected at least once',
    ],
    [{ kind: 'called', tool: 'refund', arguments: [{ path: 'none', matches: '.*' }] }, 'was not called'],
    [{ kind: 'order', tools: ['find order', 'refund', 'Writer'] }, true],
    [{ kind: 'order', tools: ['refund', 'refund'] }, true],
    [{ kind: 'order', tools: ['refund', 'find order'] }, 'find order was not called after refund; called: find order'],
    [{ kind: 'no_failed_step' }, 'refund failed: too late'],
    [{ kind: 'status', status: 'COMPLETED' }, true],
    [{ kind: 'status', status: 'FAILED' }, 'it ended as COMPLETED, expected FAILED'],
  ])('%j: %p', async (check, expected) => {
    const found = await find(order, check);
    expect(found.passed).toBe(expected === true);
    if (expected !== true) expect(found.description).toContain(expected);
  });

  it('say of each that does not hold why', async () => {
    const missing: StepCheck = { kind: 'called', tool: 'a' };
    const { description } = await find(stepsOfTask('FAILED', []), missing, { kind: 'status', status: 'COMPLETED' });
    expect(description).toBe(
      'a was not called, expected at least once; called: nothing; it ended as FAILED, expected COMPLETED',
    );
    expect((await find(order, { kind: 'not_called', tool: 'a' }, { kind: 'not_called', tool: 'b' })).description).toBe(
      'all 2 checks hold',
    );
  });
});
