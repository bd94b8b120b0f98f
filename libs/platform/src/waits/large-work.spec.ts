import { setImmediate } from 'node:timers/promises';
import { LargeWork } from './large-work.js';

const LARGE = 1024 * 1024;
function occupy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('work on large texts', () => {
  it('begins one by one, each in a turn of the event loop of its own, in order', async () => {
    const work = new LargeWork();
    const begun: number[] = [];
    const all = [0, 1, 2, 3].map(async (each) => {
      await work.turn(LARGE, 1);
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
    void work.turn(LARGE, 1);
    expect(work.turn(1000, 1)).toBeUndefined();
  });

  it('of one company waits for one piece of another at most', async () => {
    const work = new LargeWork();
    const begun: number[] = [];
    const all = [1, 1, 1, 1, 2].map(async (companyId) => {
      await work.turn(LARGE, companyId);
      begun.push(companyId);
    });
    await Promise.all(all);
    expect(begun).toEqual([1, 2, 1, 1, 1]);
  });

  /** Times at which pieces of company 1, of 10 ms each, begin while company `active` is active. */
  async function beginnings(active: number): Promise<number[]> {
    const work = new LargeWork();
    const times: number[] = [];
    const piece = async (): Promise<void> => {
      await work.turn(LARGE, 1);
      times.push(performance.now());
      occupy(10);
      work.seen(active);
    };
    await Promise.all([piece(), piece(), piece()]);
    return times;
  }

  it('leaves three quarters of the time to other companies that are active', async () => {
    const [first = 0, second = 0, third = 0] = await beginnings(2);
    expect(second - first).toBeGreaterThan(39);
    expect(third - second).toBeGreaterThan(39);
  });

  it('does not rest while its company alone is active', async () => {
    let turns = 0;
    const isDone = beginnings(1).then(() => true);
    while (!(await Promise.race([isDone, setImmediate(false)]))) turns++;
    expect(turns).toBeLessThan(20);
  });

  it('goes on while a company rests, for another one that is active', async () => {
    const work = new LargeWork();
    const order: string[] = [];
    const pieces = [0, 1].map(async (each) => {
      await work.turn(LARGE, 1);
      order.push(`1 ${each}`);
      occupy(30);
      work.seen(2);
    });
    await pieces[0];
    await setImmediate();
    await work.turn(LARGE, 2);
    order.push('2');
    await pieces[1];
    expect(order).toEqual(['1 0', '2', '1 1']);
  });
});
