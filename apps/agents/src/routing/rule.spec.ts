import type { RoutingCondition } from '@signalbox/contracts';
import { checkPattern, matchesPattern } from './pattern.js';
import { checkRule, movedActions, movedRoute } from './rule.js';

const condition = (change: Partial<RoutingCondition> = {}): RoutingCondition => ({
  target_type: 'message',
  operator: 'equals',
  value: 'x',
  enabled: true,
  ...change,
});
const check = (condition_expression: string | null, ...conditions: RoutingCondition[]) => {
  let status = 0;
  try {
    checkRule({ condition_expression, conditions }, checkPattern);
  } catch (error) {
    status = (error as { status: number }).status;
  }
  return status;
};

describe('a routing rule', () => {
  it.each([
    [null, 0],
    ['', 0],
    ['0 AND 1', 0],
    ['0 AND 2', 400],
    ['0 XOR 1', 400],
  ] as const)('with the expression %j over two conditions answers %i', (expression, status) => {
    expect(check(expression, condition(), condition())).toBe(status);
  });

  it.each([
    ['^a+$', 0],
    ['(a+)+$', 0],
    ['(', 422],
    ['(?=a)b', 422],
    ['(a)\\1', 422],
    [5, 400],
  ])('with the pattern %j answers %i', (value, status) => {
    expect(check(null, condition({ operator: 'matches', value }))).toBe(status);
  });

  it('matches a hostile text in linear time', () => {
    const started = Date.now();
    expect(matchesPattern('^(a+)+$', `${'a'.repeat(20_000)}!`)).toBe(false);
    expect(Date.now() - started).toBeLessThan(2_000);
  });

  it('follows its action to where the action of that name is now', () => {
    const actions = movedActions(
      [
        { id: 1, action_name: 'a' },
        { id: 2, action_name: 'b' },
      ],
      [
        { id: 9, action_name: 'a' },
        { id: 2, action_name: 'b' },
      ],
    );
    expect(movedRoute({ type: 'action', action_id: 1 }, actions)).toEqual({ type: 'action', action_id: 9 });
    expect(movedRoute({ type: 'action', action_id: 2 }, actions)).toEqual({ type: 'action', action_id: 2 });
    expect(movedRoute({ type: 'agent', agent_id: 1 }, actions)).toEqual({ type: 'agent', agent_id: 1 });
    expect(movedRoute({ type: 'action', action_id: 7 }, actions)).toEqual({ type: 'none' });
  });
});
