import { randomUUID } from 'node:crypto';
import { isSampled, isWatched, roll } from './sample.js';

const sources = Array.from({ length: 20_000 }, () => randomUUID());

it('is watched from the activation on, with a second of tolerance between clocks', () => {
  expect([8_999, 9_000, 10_000].map((occurredAt) => isWatched(10_000, occurredAt))).toEqual([false, true, true]);
});

describe('the roll of a source', () => {
  it('is the same each time, and another one for another target or kind', () => {
    const [id = ''] = sources;
    expect(roll('request', id, 7)).toBe(roll('request', id, 7));
    expect(new Set([roll('request', id, 7), roll('request', id, 8), roll('agent_task', id, 7)]).size).toBe(3);
  });

  it('is never sampled at 0 and always at 100 per cent', () => {
    expect(sources.some((id) => isSampled(0, 'request', id, 1))).toBe(false);
    expect(sources.every((id) => isSampled(100, 'request', id, 1))).toBe(true);
  });

  it('samples as many as the rate says, within five standard deviations', () => {
    for (const rate of [1, 10, 50, 90]) {
      const share = sources.filter((id) => isSampled(rate, 'request', id, 3)).length / sources.length;
      const deviation = Math.sqrt(((rate / 100) * (1 - rate / 100)) / sources.length);
      expect(Math.abs(share - rate / 100)).toBeLessThan(5 * deviation);
    }
  });

  it('is uniform over tenths', () => {
    const tenths = Array.from({ length: 10 }, () => 0);
    for (const id of sources) tenths[Math.floor(roll('agent_task', id, 5) / 10)]! += 1;
    // Chi-squared with nine degrees of freedom exceeds 40 with a probability below 1e-5.
    const expected = sources.length / 10;
    expect(tenths.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)).toBeLessThan(40);
  });
});
