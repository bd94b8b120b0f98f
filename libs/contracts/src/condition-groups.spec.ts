import { type ConditionGroup, conditionGroupType, conditionsOf } from './condition-groups.js';

const condition = (more: object = {}) => ({
  kind: 'condition',
  source: 'json',
  path: 'a',
  operator: 'equals',
  value: 1,
  ...more,
});
const group = (...children: object[]) => ({ kind: 'group', op: 'AND', children });
const nested = (depth: number): object => (depth === 1 ? group() : group(nested(depth - 1)));

describe('a condition group', () => {
  it.each([
    ['an empty group', group()],
    ['a negated group with an id', { ...group(condition()), id: 'x', negate: true }],
    ['five groups in each other', nested(5)],
    ['fifty conditions', group(...Array.from({ length: 50 }, () => condition()))],
    ['an operator without a value', group(condition({ operator: 'exists', value: undefined }))],
    ['null as a value', group(condition({ value: null }))],
  ])('accepts %s', (_name, value) => {
    expect(conditionGroupType.problem(value)).toBeUndefined();
  });

  it.each([
    ['a list', [], 'must be a group of conditions'],
    ['a condition alone', condition(), 'must be a group of conditions'],
    ['another op', { ...group(), op: 'XOR' }, 'is not valid: group.op must be AND or OR'],
    [
      'six groups in each other',
      nested(6),
      `is not valid: ${`group${'.children[0]'.repeat(5)}`} is nested more than 5 groups deep`,
    ],
    [
      'fifty-one conditions',
      group(...Array.from({ length: 51 }, () => condition())),
      'is not valid: group.children must be a list of at most 50',
    ],
    ['an unknown field', group(condition({ extra: 1 })), 'is not valid: group.children[0].extra is not a known field'],
    [
      'an unknown operator',
      group(condition({ operator: 'like' })),
      expect.stringContaining('the operator must be one of'),
    ],
    [
      'a missing value',
      group(condition({ value: undefined })),
      'is not valid: group.children[0]: the operator equals needs a value',
    ],
    [
      'a pattern that is no text',
      group(condition({ operator: 'matches' })),
      expect.stringContaining('needs a pattern'),
    ],
    ['"in" without a list', group(condition({ operator: 'in' })), expect.stringContaining('needs a list')],
    ['more than 64 KiB', group(condition({ value: 'x'.repeat(70_000) })), 'must be at most 65536 bytes of JSON'],
  ])('refuses %s', (_name, value, problem) => {
    expect(conditionGroupType.problem(value)).toEqual(problem);
  });

  it('names its conditions by id or place', () => {
    const all = conditionsOf(group(condition(), group(condition({ id: 'x' }), condition())) as ConditionGroup);
    expect(all.map(({ id }) => id)).toEqual(['0', 'x', '1.1']);
  });
});
