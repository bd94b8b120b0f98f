import { nextRepeat, stateAfter } from './run-item.js';

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
