/** After so short a call the other slot takes an item, whose call does not wait until the result is recorded. */
export const SHORT_CALL_MS = 500;

export interface PipelineSteps<Slot, Item, Result extends { durationMs: number }> {
  /** Takes the item that a lost worker left in the slot, else a pending one unless `onlyLeft`. */
  start(slot: Slot, onlyLeft: boolean): Promise<Item | null>;
  call(slot: Slot, item: Item): Promise<Result>;
  /** True when so few items are pending that jobs without work should get them. */
  isNearEnd(item: Item): boolean;
  record(slot: Slot, item: Item, result: Result, takesNext: boolean): Promise<Item | null>;
  putBack(slot: Slot, item: Item): Promise<void>;
}

interface Queued<Slot, Item> {
  slot: Slot;
  item: Promise<Item | null>;
  /** Whether the slot takes a pending item when there is one. */
  takesNext: boolean;
}

/**
 * Calls one item after the other in two slots: while the result of one is recorded and its next item taken, the other
 * makes its call. Works until no item is pending or `goesOn` is false; returns true when it ended before all was done.
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

/** Items that are not called any more stay in the queue. */
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
