/** After a call this short the other slot takes an item, whose call does not wait until the result is recorded. */
export const SHORT_CALL_MS = 500;

export interface PipelineSteps<Slot, Item, Result extends { durationMs: number }> {
  /** Takes the item that a lost worker has left in the slot, else a pending one unless `onlyLeft`. */
  start(slot: Slot, onlyLeft: boolean): Promise<Item | null>;
  call(slot: Slot, item: Item): Promise<Result>;
  /** Whether so few items are pending that each is left to a job with nothing to do. */
  isNearEnd(item: Item): boolean;
  /** Records the result; returns the next item of the slot. */
  record(slot: Slot, item: Item, result: Result, takesNext: boolean): Promise<Item | null>;
  putBack(slot: Slot, item: Item): Promise<void>;
}

/** A slot with the item that it has, or will have when its write is committed. */
interface Queued<Slot, Item> {
  slot: Slot;
  item: Promise<Item | null>;
  /** Whether the slot takes a pending item when one is there. */
  takesNext: boolean;
}

/**
 * Calls one item after the other in two slots: while the result of one is recorded, and the next item taken, the call
 * of the other is under way. Works until no item is pending or `goesOn` is false; returns whether it ended before all
 * was done.
 */
export async function callItems<Slot, Item, Result extends { durationMs: number }>(
  slots: readonly [Slot, Slot],
  goesOn: () => boolean,
  steps: PipelineSteps<Slot, Item, Result>,
): Promise<boolean> {
  const queue: Queued<Slot, Item>[] = [];
  try {
    await callQueued(queue, slots, goesOn, steps);
  } catch (error) {
    await Promise.allSettled(queue.map((queued) => putBack(queued, steps)));
    throw error;
  }
  const hasYielded = queue.length > 0;
  await Promise.all(queue.map((queued) => putBack(queued, steps)));
  return hasYielded;
}

/** Leaves in the queue what is not called any more. */
async function callQueued<Slot, Item, Result extends { durationMs: number }>(
  queue: Queued<Slot, Item>[],
  [first, second]: readonly [Slot, Slot],
  goesOn: () => boolean,
  steps: PipelineSteps<Slot, Item, Result>,
): Promise<void> {
  const add = (slot: Slot, item: Promise<Item | null>, takesNext = true): void => {
    // Its error is thrown when its turn comes.
    item.catch(() => undefined);
    queue.push({ slot, item, takesNext });
  };
  const left = await Promise.all([steps.start(first, false), steps.start(second, true)]);
  [first, second].forEach((slot, at) => left[at] && add(slot, Promise.resolve(left[at])));
  while (queue[0] && goesOn()) {
    const [{ slot, item: taken }] = queue as [Queued<Slot, Item>];
    const item = await taken;
    if (item && !goesOn()) return;
    queue.shift();
    if (!item) continue;
    const result = await steps.call(slot, item);
    const isNearEnd = steps.isNearEnd(item);
    const isLeftToOther = isNearEnd && queue.some((other) => other.takesNext);
    const takesNext = goesOn() && !isLeftToOther;
    const recorded = steps.record(slot, item, result, takesNext);
    if (queue.length === 0 && result.durationMs < SHORT_CALL_MS && !isNearEnd && takesNext) {
      const other = slot === first ? second : first;
      add(other, steps.start(other, false));
    }
    add(slot, recorded, takesNext);
  }
}

async function putBack<Slot, Item>(
  { slot, item }: Queued<Slot, Item>,
  steps: Pick<PipelineSteps<Slot, Item, never>, 'putBack'>,
): Promise<void> {
  const left = await item;
  if (left) await steps.putBack(slot, left);
}
