import type { RoutingCondition } from '@signalbox/contracts';
import { plainVerdict, type RoutingContext, ruleMatches, textTestOf } from './condition.js';

const context: RoutingContext = {
  messages: [
    { role: 'user', content: 'first' },
    { role: 'assistant', content: 'answer' },
    { role: 'user', content: [{ type: 'text', text: 'Where is Order 42?' }] },
  ],
  request: { metadata: { plan: 'pro', seats: '12', tags: ['a', 'b'] } },
  state: { age: 41, items: [{ sku: 'x' }], empty: null },
};
const condition = (change: Partial<RoutingCondition>): RoutingCondition => ({
  target_type: 'message',
  operator: 'equals',
  enabled: true,
  ...change,
});

describe('a routing condition', () => {
  it.each([
    ['the text of the last user message', { value: 'Where is Order 42?' }, true],
    ['a path into the request', { target_type: 'request', variable_path: 'metadata.plan', value: 'pro' }, true],
    [
      'text that is a number',
      { target_type: 'request', variable_path: 'metadata.seats', operator: 'gt', value: 9 },
      true,
    ],
    ['a list', { target_type: 'request', variable_path: 'metadata.tags', operator: 'contains', value: 'b' }, true],
    ['an index in a path', { target_type: 'state', variable_path: 'items[0].sku', value: 'x' }, true],
    ['gte', { target_type: 'state', variable_path: 'age', operator: 'gte', value: 41 }, true],
    ['lt', { target_type: 'state', variable_path: 'age', operator: 'lt', value: 41 }, false],
    ['lte', { target_type: 'state', variable_path: 'age', operator: 'lte', value: '41' }, true],
    ['null', { target_type: 'state', variable_path: 'empty', operator: 'is_null' }, true],
    ['not null', { target_type: 'state', variable_path: 'age', operator: 'is_not_null' }, true],
    ['missing: is_null', { target_type: 'state', variable_path: 'no.such', operator: 'is_null' }, true],
    ['missing: not_equals', { target_type: 'state', variable_path: 'no.such', operator: 'not_equals', value: 1 }, true],
    ['missing: equals', { target_type: 'state', variable_path: 'no.such', operator: 'equals', value: 1 }, false],
    ['missing: gt', { target_type: 'state', variable_path: 'no.such', operator: 'gt', value: 1 }, false],
    ['missing: contains', { target_type: 'state', variable_path: 'no.such', operator: 'contains', value: 1 }, false],
  ] as [string, Partial<RoutingCondition>, boolean][])('%s', (_name, change, expected) => {
    expect(textTestOf(condition(change), context)).toBeNull();
    expect(plainVerdict(condition(change), context, false)).toBe(expected);
  });

  it.each(['contains', 'like', 'matches'] as const)('delegates a text to its text test: %s', (operator) => {
    const asked = condition({ operator, value: 'order' });
    expect(textTestOf(asked, context)).toEqual({ operator, pattern: 'order', text: 'Where is Order 42?' });
    expect([plainVerdict(asked, context, true), plainVerdict(asked, context, false)]).toEqual([true, false]);
    const missing = condition({ operator, value: 'x', target_type: 'state', variable_path: 'no.such' });
    expect(textTestOf(missing, context)).toBeNull();
    expect(plainVerdict(missing, context, false)).toBe(false);
  });

  it('matches a rule by its expression, where a disabled condition counts as true', () => {
    const conditions = [condition({}), condition({ enabled: false })];
    expect(ruleMatches({ conditions, condition_expression: null }, [true, false])).toBe(true);
    expect(ruleMatches({ conditions, condition_expression: '0 OR NOT 1' }, [false, false])).toBe(false);
  });
});
