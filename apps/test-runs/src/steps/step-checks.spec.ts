import type { TextTest } from '@signalbox/conditions';
import type { StepCheck } from '@signalbox/contracts';
import type { ItemSteps, ToolCall } from './item-steps.js';
import { checkSteps } from './step-checks.js';

const call = (tool: string, more: Partial<ToolCall> = {}): ToolCall => ({
  tool,
  arguments: {},
  output: { ok: true },
  status: 'SUCCESS',
  error: null,
  duration_ms: 5,
  ...more,
});
const order: ItemSteps = {
  status: 'COMPLETED',
  calls: [
    call('find order', { arguments: { order: { id: 7, tags: ['new', 'paid'] }, q: 'shoes, red' } }),
    call('refund', { arguments: { id: 7 }, status: 'ERROR', error: 'too late', output: null }),
    call('refund', { arguments: { id: '8' } }),
    call('Writer', { arguments: null, output: 'x' }),
  ],
  failures: [],
};

const tests = {
  passes: (_companyId: number, { pattern, text }: TextTest) => Promise.resolve(new RegExp(pattern).test(text)),
};
const find = (steps: ItemSteps, ...checks: StepCheck[]) => checkSteps(1, checks, steps, tests);

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
    const { description } = await find({ status: 'FAILED', calls: [], failures: [] }, missing, {
      kind: 'status',
      status: 'COMPLETED',
    });
    expect(description).toBe(
      'a was not called, expected at least once; called: nothing; it ended as FAILED, expected COMPLETED',
    );
    expect((await find(order, { kind: 'not_called', tool: 'a' }, { kind: 'not_called', tool: 'b' })).description).toBe(
      'all 2 checks hold',
    );
  });
});
