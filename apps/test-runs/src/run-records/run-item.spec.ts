import { nextRepeat, outcomeOf, stateAfter } from './run-item.js';

describe('the outcome of an item', () => {
  it.each([
    ['PENDING', null, null],
    ['RUNNING', null, null],
    ['COMPLETED', null, null],
    ['COMPLETED', true, 'PASS'],
    ['COMPLETED', false, 'FAIL'],
    ['FAILED', null, 'ERROR'],
    ['FAILED', true, 'ERROR'],
  ] as const)('of %s and match %p is %p', (status, matched, outcome) => {
    expect(outcomeOf(status, matched)).toBe(outcome);
  });
});

describe('an item with repeats', () => {
  const ended = (...states: ('COMPLETED' | 'FAILED')[]) =>
    states.map((status, at) => ({
      repeat: at + 1,
      status,
      failure_class: status === 'FAILED' ? ('provider' as const) : null,
    }));

  it('runs until every repeat has ended, and fails with one of them', () => {
    expect(stateAfter(ended('COMPLETED'), 3)).toBe('RUNNING');
    expect(stateAfter(ended('COMPLETED', 'COMPLETED', 'COMPLETED'), 3)).toBe('COMPLETED');
    expect(stateAfter(ended('COMPLETED', 'FAILED', 'COMPLETED'), 3)).toBe('FAILED');
  });

  it('takes the first repeat without a result next', () => {
    expect(nextRepeat([], 2)).toBe(1);
    expect(nextRepeat([{ repeat: 2 }], 2)).toBe(1);
    expect(nextRepeat([{ repeat: 1 }], 2)).toBe(2);
    expect(nextRepeat([{ repeat: 1 }, { repeat: 2 }], 2)).toBeNull();
  });
});
