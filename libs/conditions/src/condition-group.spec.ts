import { type Condition, CONDITION_OPERATORS, type ConditionGroup, type ConditionOperator } from '@signalbox/contracts';
import { evaluateGroup, groupHolds, traceGroup, traceInPlace } from './condition-group.js';
import { EvaluationThreads } from './threads/evaluation-threads.js';
import { TextTests } from './text-tests.js';

const json = {
  text: 'Order 42 is late',
  count: 5,
  numeric: '12',
  yes: true,
  no: false,
  nothing: null,
  blank: '',
  list: ['a', 7, { b: 1, c: 2 }],
  none: [],
  object: { key: 1 },
  empty: {},
};
let threads: EvaluationThreads;
let tests: TextTests;
beforeAll(() => {
  threads = new EvaluationThreads();
  tests = new TextTests(threads);
});
afterAll(() => threads.onApplicationShutdown());

const condition = (path: string, operator: ConditionOperator, value?: unknown): Condition => ({
  kind: 'condition',
  source: 'json',
  path,
  operator,
  value,
});
const all = (...children: ConditionGroup['children']): ConditionGroup => ({ kind: 'group', op: 'AND', children });
const any = (...children: ConditionGroup['children']): ConditionGroup => ({ kind: 'group', op: 'OR', children });
const evaluate = (group: ConditionGroup, text = '') => evaluateGroup(1, group, { json, text }, tests);

describe('a condition', () => {
  it.each([
    ['text', 'equals', 'Order 42 is late', true],
    ['count', 'equals', 5, true],
    ['count', 'equals', '5', true],
    ['count', 'equals', 6, false],
    ['list[2]', 'equals', { c: 2, b: 1 }, true],
    ['list[2]', 'equals', { b: 1 }, false],
    ['nothing', 'equals', null, true],
    ['object', 'equals', '{"key":1}', false],
    ['count', 'not_equals', 6, true],
    ['count', 'not_equals', 5, false],
    ['count', 'gt', 4, true],
    ['count', 'gt', 5, false],
    ['numeric', 'gt', 9, true],
    ['text', 'gt', 'Apple', true],
    ['yes', 'gt', 0, false],
    ['count', 'gte', 5, true],
    ['count', 'gte', 6, false],
    ['count', 'lt', 6, true],
    ['count', 'lt', 5, false],
    ['count', 'lte', 5, true],
    ['count', 'lte', 4, false],
    ['text', 'contains', 'order 42', true],
    ['text', 'contains', 'none', false],
    ['list', 'contains', 'a', true],
    ['list', 'contains', { c: 2, b: 1 }, true],
    ['list', 'contains', 'b', false],
    ['object', 'contains', 'key', true],
    ['object', 'contains', 'toString', false],
    ['text', 'not_contains', 'none', true],
    ['text', 'not_contains', 'Order', false],
    ['list', 'not_contains', 'a', false],
    ['text', 'matches', '\\d+ is', true],
    ['text', 'matches', '^late', false],
    ['count', 'matches', '^5$', true],
    ['nothing', 'exists', undefined, true],
    ['list[1]', 'exists', undefined, true],
    ['count', 'does_not_exist', undefined, false],
    ['yes', 'is_true', undefined, true],
    ['no', 'is_true', undefined, false],
    ['no', 'is_false', undefined, true],
    ['nothing', 'is_false', undefined, false],
    ['blank', 'is_empty', undefined, true],
    ['nothing', 'is_empty', undefined, true],
    ['none', 'is_empty', undefined, true],
    ['empty', 'is_empty', undefined, true],
    ['count', 'is_empty', undefined, false],
    ['text', 'is_not_empty', undefined, true],
    ['count', 'is_not_empty', undefined, true],
    ['none', 'is_not_empty', undefined, false],
    ['count', 'in', [4, 5], true],
    ['count', 'in', [4], false],
    ['count', 'in', 5, false],
    ['count', 'not_in', [4], true],
    ['count', 'not_in', [5], false],
    ['list', 'length_gt', 2, true],
    ['list', 'length_gt', 3, false],
    ['count', 'length_gt', 0, false],
    ['text', 'length_lt', 17, true],
    ['text', 'length_lt', 16, false],
  ] as [string, ConditionOperator, unknown, boolean][])('%s %s %j: %s', async (path, operator, value, expected) => {
    expect(await evaluate(all(condition(path, operator, value)))).toBe(expected);
  });

  it('over a missing path is false, except for the five operators that are true then', async () => {
    const holds: ConditionOperator[] = [];
    for (const operator of CONDITION_OPERATORS)
      for (const path of ['missing', 'list[9]', 'text.length', 'object.constructor'])
        if (await evaluate(all(condition(path, operator, 'x')))) holds.push(operator);
    expect([...new Set(holds)].sort()).toEqual(['does_not_exist', 'is_empty', 'not_contains', 'not_equals', 'not_in']);
    expect(holds).toHaveLength(20);
  });

  it('over the text ignores its path', async () => {
    const over = (operator: ConditionOperator, value: unknown): ConditionGroup =>
      all({ kind: 'condition', source: 'text', path: 'count', operator, value });
    expect(await evaluate(over('matches', '^he'), 'hello')).toBe(true);
    expect(await evaluate(over('equals', 5), '5')).toBe(true);
    expect(await evaluate(over('is_true', undefined), 'true')).toBe(true);
    expect(await evaluate(over('is_empty', undefined), '')).toBe(true);
  });
});

describe('a group', () => {
  const yes = condition('yes', 'is_true');
  const no = condition('no', 'is_true');

  it.each([
    ['an empty AND', all(), true],
    ['an empty OR', any(), false],
    ['AND', all(yes, no), false],
    ['OR', any(no, yes), true],
    ['a negated AND', { ...all(yes, yes), negate: true }, false],
    ['a negated OR', { ...any(no), negate: true }, true],
    ['groups in groups', all(yes, any(no, all(yes))), true],
    ['a negated group in a group', any(no, { ...all(no), negate: true }), true],
  ] as [string, ConditionGroup, boolean][])('%s', async (_name, group, expected) => {
    expect(groupHolds(group, (each) => each === yes)).toBe(expected);
    expect(traceInPlace(group, { json, text: '' })?.result).toBe(expected);
    expect(await evaluate(group)).toBe(expected);
  });

  it('is traced by id or place, with the values its conditions read', async () => {
    const named = { ...condition('count', 'equals', 5), id: 'five' };
    const traced = await traceGroup(1, any(no, all(named, condition('list[9]', 'exists'))), { json, text: '' }, tests);
    expect(traced).toEqual({
      result: false,
      conditions: [
        { id: '0', actual: false, result: false },
        { id: 'five', actual: 5, result: true },
        { id: '1.1', actual: null, result: false },
      ],
    });
    expect(traceInPlace(any(no, all(named, condition('list[9]', 'exists'))), { json, text: '' })).toEqual(traced);
    const long = await traceGroup(1, all(condition('', 'exists')), { json: 'x'.repeat(5000), text: '' }, tests);
    expect(String(long.conditions[0]?.actual)).toHaveLength(1001);
  });

  it('is left to a thread when one of its text tests is not small', async () => {
    const input = { json: { text: 'a'.repeat(300_000) }, text: '' };
    const group = all(condition('text', 'contains', 'abcd'));
    expect(traceInPlace(group, input)).toBeNull();
    expect((await traceGroup(1, group, input, tests)).result).toBe(false);
    expect(traceInPlace(all(condition('text', 'contains', 'A')), input)?.result).toBe(true);
  });
});
