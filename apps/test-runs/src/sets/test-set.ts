import { conflict, emits, type TestSet } from '@signalbox/contracts';

export type TestSetChange = Partial<
  Pick<TestSet, 'name' | 'description' | 'consumer_kinds' | 'criteria_ids' | 'tags' | 'meta'>
>;

export function updateSet(change: TestSetChange) {
  if (Object.keys(change).length === 0) return {};
  return { set: change, events: [emits('test_set.updated')] };
}

/** For items that are added by calls (docs/api/README.md). */
export const MAX_ITEMS = 10_000;
/** For items that come from a file. */
export const MAX_ITEMS_OF_FILES = 100_000;

export function requireCapacity(items: number, further: number, limit = MAX_ITEMS): void {
  if (items + further > limit) throw conflict(`the test set has ${items} items and can hold at most ${limit}`);
}
