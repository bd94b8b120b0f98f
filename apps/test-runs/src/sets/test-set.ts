import { conflict, emits, type TestSet } from '@signalbox/contracts';

/** The fields of an update. */
export type TestSetChange = Partial<
  Pick<TestSet, 'name' | 'description' | 'consumer_kinds' | 'criteria_ids' | 'tags' | 'meta'>
>;

export function updateSet(change: TestSetChange) {
  if (Object.keys(change).length === 0) return {};
  return { set: change, events: [emits('test_set.updated')] };
}

/** The items that a set may hold when they are added by calls (docs/api/README.md). */
export const MAX_ITEMS = 10_000;
/** The items that a set may hold when they come from a file. */
export const MAX_ITEMS_OF_FILES = 100_000;

/** 409 when a set cannot hold further items. */
export function requireCapacity(items: number, further: number, limit = MAX_ITEMS): void {
  if (items + further > limit) throw conflict(`the test set has ${items} items and can hold at most ${limit}`);
}
