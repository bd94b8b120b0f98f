import { deadlineWords } from './deadline.js';

describe('a deadline in words', () => {
  it('says how long is left, or since when it is missed', () => {
    expect(deadlineWords(7_260_000, 0)).toBe('in 2 h 1 min');
    expect(deadlineWords(0, 61_000)).toBe('missed 1 min ago');
  });
});
