import type { ComparedItem } from '@signalbox/sdk';
import { answerText, changeOf, expectedFrom, testWords, verdictWords } from './verdict.js';

const outcome = (matched: boolean | null, failed = false) => ({
  run_item_id: 1,
  outcome: failed ? ('ERROR' as const) : matched ? ('PASS' as const) : ('FAIL' as const),
  matched,
  failure_class: failed ? ('provider' as const) : null,
  duration_ms: 1,
  usage: null,
  cost: null,
  unmet: [],
});

const item = (base: ReturnType<typeof outcome>, run: ReturnType<typeof outcome>): ComparedItem => ({
  test_set_item_id: 1,
  results: { 1: base, 2: run },
  changed: true,
});

describe('two runs of one set', () => {
  it('are better, worse or the same in an item, and an error is none of these', () => {
    expect(changeOf(item(outcome(false), outcome(true)), 1, 2)).toBe('better');
    expect(changeOf(item(outcome(true), outcome(false)), 1, 2)).toBe('worse');
    expect(changeOf(item(outcome(true), outcome(true)), 1, 2)).toBe('same');
    expect(changeOf(item(outcome(true), outcome(null, true)), 1, 2)).toBe('error');
    expect(changeOf(item(outcome(null, true), outcome(false)), 1, 2)).toBe('error');
  });

  it('have a verdict in words with its interval and what it rests on', () => {
    const difference = {
      ...{ test_run_id: 2, base_run_id: 1, criteria_id: null, name: 'matched', method: 'sign test' },
      ...{ difference: -0.125, low: -0.2, high: -0.05, verdict: 'worse' as const, n: 40, p_value: 0.01 },
    };
    expect(verdictWords(difference)).toBe('Worse: -12.5 % (between -20 % and -5 %), on 40 compared items.');
    const few = { ...difference, difference: null, low: null, high: null, verdict: 'too_few' as const, n: 1 };
    expect(testWords({ method: 'mcnemar_tango, Holm' })).toBe('McNemar and Tango, adjusted by Holm');
    expect(verdictWords(few)).toBe('Too few items to tell: 1 compared item.');
    expect(verdictWords({ ...difference, difference: 0.1, verdict: 'better', low: null })).toContain('Better: +10 %,');
  });
});

describe('an answer', () => {
  it('is shown as its text, or as JSON', () => {
    expect(answerText({ text: 'a' })).toBe('a');
    expect(answerText({ message: { role: 'assistant', content: 'b' } })).toBe('b');
    expect(answerText({ json: { c: 1 } })).toBe('{\n  "c": 1\n}');
    expect(answerText(null)).toBeNull();
  });

  it('becomes the expectation in its own shape', () => {
    expect(expectedFrom({ text: 'a', other: 1 })).toEqual({ text: 'a' });
    expect(expectedFrom({ json: null })).toEqual({ json: null });
    expect(expectedFrom('a')).toBeNull();
  });
});
