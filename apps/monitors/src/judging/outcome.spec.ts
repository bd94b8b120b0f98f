import type { ConditionGroup, JudgedOutcome } from '@signalbox/contracts';
import { groupsOf, resolveOutcome } from './outcome.js';

const group = (result: boolean | null) => (result === null ? null : { result, conditions: [] });

describe('the outcome of a judgement', () => {
  it.each([
    // fault, warning, default, outcome, groups of the trace
    [true, null, 'PASS', 'FAULT', ['fault']],
    [true, true, 'PASS', 'FAULT', ['fault']],
    [true, false, 'WARNING', 'FAULT', ['fault']],
    [false, true, 'PASS', 'WARNING', ['fault', 'warning']],
    [false, true, 'FAULT', 'WARNING', ['fault', 'warning']],
    [null, true, 'PASS', 'WARNING', ['warning']],
    [false, false, 'PASS', 'PASS', ['fault', 'warning', 'default']],
    [false, false, 'FAULT', 'FAULT', ['fault', 'warning', 'default']],
    [false, false, 'WARNING', 'WARNING', ['fault', 'warning', 'default']],
    [false, null, 'PASS', 'PASS', ['fault', 'default']],
    [null, false, 'FAULT', 'FAULT', ['warning', 'default']],
    [null, null, 'PASS', 'PASS', ['default']],
    [null, null, 'WARNING', 'WARNING', ['default']],
    [null, null, 'FAULT', 'FAULT', ['default']],
  ] as [boolean | null, boolean | null, JudgedOutcome, JudgedOutcome, string[]][])(
    'fault %s, warning %s, default %s: %s',
    (fault, warning, fallback, outcome, groups) => {
      const resolved = resolveOutcome({ fault: group(fault), warning: group(warning) }, fallback);
      expect(resolved.outcome).toBe(outcome);
      expect(resolved.resolution_trace.map((step) => step.group)).toEqual(groups);
      expect(resolved.resolution_trace.at(-1)?.result).toBe(true);
    },
  );
});

describe('the groups of a monitor', () => {
  const own = { kind: 'group', op: 'OR', children: [] } satisfies ConditionGroup;

  it('are those that it configures', () => {
    expect(groupsOf('model', { fault: own, default_outcome: 'PASS' })).toEqual({ fault: own, warning: null });
    expect(groupsOf('direct', { warning: own, default_outcome: 'PASS' })).toEqual({ fault: null, warning: own });
    expect(groupsOf('direct', { default_outcome: 'PASS' })).toEqual({ fault: null, warning: null });
  });

  it('read the verdict of a judge when it configures none', () => {
    const { fault, warning } = groupsOf('model', { default_outcome: 'PASS' });
    expect([fault, warning].map((each) => each?.children[0])).toMatchObject([
      { path: 'verdict', operator: 'equals', value: 'FAULT' },
      { path: 'verdict', operator: 'equals', value: 'WARNING' },
    ]);
  });
});
