import type { CriterionResult } from '@signalbox/contracts';
import { diffOutputs } from './output-diff.js';
import { expectationOf, verdictOf } from './verdict.js';

const result = (passed: boolean | null): CriterionResult => ({
  criteria_id: 1,
  name: 'c',
  score: passed === null ? null : Number(passed),
  passed,
  description: '',
  ...(passed === null ? { failure_class: 'judge' as const } : {}),
});
const equal = diffOutputs({ text: 'a' }, { text: 'a' });
const unequal = diffOutputs({ text: 'a' }, { text: 'b' });

describe('the verdict on an output', () => {
  it.each([
    ['without criteria follows an equal comparison', equal, null, true, null],
    ['without criteria follows an unequal comparison', unequal, null, false, null],
    ['without criteria and expectation is unknown', null, null, null, null],
    ['with criteria ignores the comparison', unequal, [result(true), result(true)], true, null],
    ['needs every applicable criterion', equal, [result(true), result(false)], false, null],
    ['is unknown when no criterion applies', equal, [], null, null],
    ['is an error of the judge when one failed', equal, [result(false), result(null)], null, 'judge'],
  ])('%s', (_name, diff, results, matched, failure_class) => {
    expect(verdictOf(diff, results)).toEqual({ matched, failure_class });
  });
});

describe('the expectation of an item', () => {
  const sub = { id: 9, expected_output: { text: 'better' } };

  it('is its override, else its baseline, else none', () => {
    expect(expectationOf({ text: 'good' }, sub)).toEqual({ source: 'sub', output: { text: 'better' }, sub_id: 9 });
    expect(expectationOf(null, sub).source).toBe('sub');
    expect(expectationOf({ text: 'good' }, null)).toEqual({
      source: 'baseline',
      output: { text: 'good' },
      sub_id: null,
    });
    expect(expectationOf(null, null)).toEqual({ source: 'none', output: null, sub_id: null });
  });
});
