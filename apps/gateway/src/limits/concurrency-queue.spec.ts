import { ConcurrencyQueue } from './concurrency-queue.js';

const limits = { slots: 3, slotsPerKey: 2, waitMs: 20 };

function visitor(queue: ConcurrencyQueue, name: string) {
  const seen: { leave?: (() => void) | null; giveUp: () => void } = { giveUp: () => undefined };
  seen.giveUp = queue.enter(name, (leave) => (seen.leave = leave));
  return seen;
}

describe('a queue', () => {
  it('has a number of slots, of which one name never holds all', () => {
    const queue = new ConcurrencyQueue(limits);
    const [first, second, third, other, late] = ['a', 'a', 'a', 'b', 'b'].map((name) => visitor(queue, name));
    expect([first?.leave, second?.leave, other?.leave].map((leave) => typeof leave)).toEqual(Array(3).fill('function'));
    expect([third?.leave, late?.leave]).toEqual([undefined, undefined]);
    // The slot of `b` is not for `a`, which holds its share.
    other?.leave?.();
    expect([third?.leave, typeof late?.leave]).toEqual([undefined, 'function']);
    first?.leave?.();
    first?.leave?.();
    expect(typeof third?.leave).toBe('function');
    expect(visitor(queue, 'c').leave).toBeUndefined();
  });

  it('refuses a request that waited too long, and removes a cancelled one', async () => {
    const queue = new ConcurrencyQueue(limits);
    const held = ['a', 'a', 'b'].map((name) => visitor(queue, name));
    const [cancelled, waiting] = [visitor(queue, 'c'), visitor(queue, 'd')];
    cancelled.giveUp();
    await new Promise<void>((resolve) => queue.enter('e', () => resolve()));
    expect([cancelled.leave, waiting.leave]).toEqual([undefined, null]);
    held[0]?.leave?.();
    expect(typeof visitor(queue, 'f').leave).toBe('function');
  });
});
