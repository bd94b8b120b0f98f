import { FairQueue } from './fair-queue.js';

const taken = (queue: FairQueue<string>): string | undefined => queue.take()?.item;

describe('the queue of evaluations', () => {
  it('takes companies in turns, each in order of arrival', () => {
    const queue = new FairQueue<string>({ running: 9, waiting: 9, waitingBytes: 10 });
    for (const item of ['a1', 'a2', 'a3']) queue.add(1, item);
    for (const item of ['b1', 'b2']) queue.add(2, item);
    expect([1, 2, 3, 4, 5, 6].map(() => taken(queue))).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', undefined]);
  });

  it('limits the running items of a company to its share and continues when one ends', () => {
    const queue = new FairQueue<string>({ running: 1, waiting: 9, waitingBytes: 10 });
    for (const item of ['a1', 'a2']) queue.add(1, item);
    expect([taken(queue), taken(queue)]).toEqual(['a1', undefined]);
    queue.add(2, 'b1');
    expect(taken(queue)).toBe('b1');
    queue.ended(1);
    expect([taken(queue), taken(queue)]).toEqual(['a2', undefined]);
  });

  it('refuses items over the limit of a company and removes items that no longer wait', () => {
    const queue = new FairQueue<string>({ running: 1, waiting: 2, waitingBytes: 10 });
    expect([queue.add(1, 'a1'), queue.add(1, 'a2'), queue.add(1, 'a3'), queue.add(2, 'b1')]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect([queue.remove(1, 'a1'), queue.remove(1, 'a1'), queue.remove(3, 'c')]).toEqual([true, false, false]);
    expect([taken(queue), taken(queue)]).toEqual(['a2', 'b1']);
  });

  it('refuses items over the bytes of a company, unless nothing else of it waits', () => {
    const queue = new FairQueue<string>({ running: 9, waiting: 9, waitingBytes: 10 });
    expect([queue.add(1, 'a1', 20), queue.add(1, 'a2', 1), queue.add(2, 'b1', 5), queue.add(2, 'b2', 5)]).toEqual([
      true,
      false,
      true,
      true,
    ]);
    expect(queue.add(2, 'b3', 1)).toBe(false);
    queue.remove(2, 'b1');
    expect([queue.add(2, 'b3', 1), taken(queue), queue.add(1, 'a2', 1)]).toEqual([true, 'a1', true]);
  });
});
