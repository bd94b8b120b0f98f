import type { Needs } from './admission.js';
import { WaitingList } from './waiting-list.js';

const of = (company: number, bytes = 1, depth = 0): Needs => ({ company, depth, bytes, memoryMb: 1 });
const listOf = (limits = {}): WaitingList<Needs> =>
  new WaitingList({ count: 2, bytes: 100, totalBytes: 120, ...limits });

describe('what waits for a process', () => {
  it('is bounded in number for each company and depth', () => {
    const list = listOf();
    expect([of(1), of(1), of(1), of(2), of(1, 1, 1)].map((each) => list.add(each))).toEqual([
      true,
      true,
      false,
      true,
      true,
    ]);
    list.remove(list.items[0]!);
    expect(list.add(of(1))).toBe(true);
  });

  it('is bounded in bytes, but for a single one', () => {
    const list = listOf({ count: 9 });
    expect([of(1, 110), of(2, 5)].map((each) => list.add(each))).toEqual([true, true]);
    expect([list.add(of(1, 1)), list.add(of(1, 1, 1))]).toEqual([false, true]);
  });

  it('is refused above the bytes of all only beyond the equal share of a company', () => {
    const list = listOf({ count: 9 });
    expect([of(1, 60), of(1, 40), of(2, 20)].map((each) => list.add(each))).toEqual([true, true, true]);
    expect([list.add(of(1, 1, 1)), list.add(of(2, 40)), list.add(of(2, 1)), list.add(of(3, 40))]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });
});
