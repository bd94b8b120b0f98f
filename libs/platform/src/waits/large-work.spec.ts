import { setImmediate } from 'node:timers/promises';
import { LargeWork } from './large-work.js';

const LARGE = 1024 * 1024;

describe('work on large texts', () => {
  it('begins one by one, each in a turn of the event loop of its own, in order', async () => {
    const work = new LargeWork();
    const begun: number[] = [];
    const all = [0, 1, 2, 3].map(async (each) => {
      await work.turn(LARGE);
      begun.push(each);
    });
    const seen: number[][] = [];
    while (begun.length < all.length) {
      await setImmediate();
      seen.push([...begun]);
    }
    for (const [at, numbers] of seen.entries()) expect(numbers.length - (seen[at - 1]?.length ?? 0)).toBeLessThan(2);
    expect(begun).toEqual([0, 1, 2, 3]);
  });

  it('does not wait for small texts', () => {
    const work = new LargeWork();
    void work.turn(LARGE);
    expect(work.turn(1000)).toBeUndefined();
  });
});
