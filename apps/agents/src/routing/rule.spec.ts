import type { RoutingCondition } from '@signalbox/contracts';
import { checkRule, actionIdMap, remapRoute, patternsOf } from './rule.js';

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
    checkRule({ condition_expression, conditions });
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
  ] as const)('with the expression %j over two conditions returns %i', (expression, status) => {
    expect(check(expression, condition(), condition())).toBe(status);
  });

  it('accepts only strings as patterns', () => {
    expect(check(null, condition({ operator: 'matches', value: 5 }))).toBe(400);
    expect(check(null, condition({ operator: 'matches', value: '^a+$' }))).toBe(0);
    const conditions = [condition(), condition({ operator: 'matches', value: '^a+$' })];
    expect(patternsOf({ conditions })).toEqual(['^a+$']);
  });

  it('routes to the current id of the action of the same name', () => {
    const actions = actionIdMap(
      [
        { id: 1, action_name: 'a' },
        { id: 2, action_name: 'b' },
      ],
      [
        { id: 9, action_name: 'a' },
        { id: 2, action_name: 'b' },
      ],
    );
    expect(remapRoute({ type: 'action', action_id: 1 }, actions)).toEqual({ type: 'action', action_id: 9 });
    expect(remapRoute({ type: 'action', action_id: 2 }, actions)).toEqual({ type: 'action', action_id: 2 });
    expect(remapRoute({ type: 'agent', agent_id: 1 }, actions)).toEqual({ type: 'agent', agent_id: 1 });
    expect(remapRoute({ type: 'action', action_id: 7 }, actions)).toEqual({ type: 'none' });
  });
});
