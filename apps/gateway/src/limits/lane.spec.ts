import { Lane } from './lane.js';

const limits = { slots: 3, slotsPerName: 2, waitMs: 20 };

/** Requests a slot and records the callback. */
function visitor(lane: Lane, name: string) {
  const seen: { leave?: (() => void) | null; giveUp: () => void } = { giveUp: () => undefined };
  seen.giveUp = lane.enter(name, (leave) => (seen.leave = leave));
  return seen;
}

describe('a lane', () => {
  it('has a number of slots, of which one name never holds all', () => {
    const lane = new Lane(limits);
    const [first, second, third, other, late] = ['a', 'a', 'a', 'b', 'b'].map((name) => visitor(lane, name));
    expect([first?.leave, second?.leave, other?.leave].map((leave) => typeof leave)).toEqual(Array(3).fill('function'));
    expect([third?.leave, late?.leave]).toEqual([undefined, undefined]);
    // The slot of `b` is not for `a`, which holds its share.
    other?.leave?.();
    expect([third?.leave, typeof late?.leave]).toEqual([undefined, 'function']);
    first?.leave?.();
    first?.leave?.();
    expect(typeof third?.leave).toBe('function');
    expect(visitor(lane, 'c').leave).toBeUndefined();
  });

  it('refuses a request that waited too long, and removes a cancelled one', async () => {
    const lane = new Lane(limits);
    const held = ['a', 'a', 'b'].map((name) => visitor(lane, name));
    const [cancelled, waiting] = [visitor(lane, 'c'), visitor(lane, 'd')];
    cancelled.giveUp();
    await new Promise<void>((resolve) => lane.enter('e', () => resolve()));
    expect([cancelled.leave, waiting.leave]).toEqual([undefined, null]);
    held[0]?.leave?.();
    expect(typeof visitor(lane, 'f').leave).toBe('function');
  });
});
