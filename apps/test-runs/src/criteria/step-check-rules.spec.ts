import type { StepCheck } from '@signalbox/contracts';
import { patternsOf, requireStepChecks } from './step-check-rules.js';

const refusal = (field: string) =>
  expect.objectContaining({ status: 400, extras: { details: [expect.objectContaining({ field })] } });

describe('the checks of a criterion on steps', () => {
  it('are accepted with the keys of their kinds', () => {
    const checks: StepCheck[] = [
      { kind: 'called', tool: 'refund', min_times: 1, max_times: 2, arguments: [{ path: 'id', equals: 7 }] },
      { kind: 'not_called', tool: 'delete' },
      { kind: 'order', tools: ['find', 'refund'] },
      { kind: 'no_failed_step' },
      { kind: 'status', status: 'COMPLETED' },
    ];
    expect(() => requireStepChecks(checks)).not.toThrow();
  });

  it.each<[string, StepCheck, string]>([
    ['a key of another kind', { kind: 'status', status: 'COMPLETED', tool: 'a' }, 'config.checks[0].tool'],
    ['a missing key', { kind: 'called' }, 'config.checks[0].tool'],
    ['limits that contradict', { kind: 'called', tool: 'a', min_times: 3, max_times: 2 }, 'config.checks[0].max_times'],
    [
      'two comparisons of one argument',
      { kind: 'called', tool: 'a', arguments: [{ path: 'id', equals: 1, contains: '1' }] },
      'config.checks[0].arguments[0]',
    ],
  ])('are refused with %s', (_what, check, field) => {
    expect(() => requireStepChecks([check])).toThrow(refusal(field));
  });

  it('name the patterns that have to compile', () => {
    const arguments_ = [
      { path: 'id', matches: '^7' },
      { path: 'q', equals: 'x' },
    ];
    expect(patternsOf([{ kind: 'called', tool: 'a', arguments: arguments_ }, { kind: 'no_failed_step' }])).toEqual([
      '^7',
    ]);
  });
});
