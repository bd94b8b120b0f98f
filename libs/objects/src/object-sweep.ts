import type { ObjectStore } from './object-store.js';

const BATCH = 200;

/** Deletes those of the objects that nothing references; returns how many. */
export type CollectObjects = (companyId: number, keys: readonly string[]) => Promise<number>;

/**
 * Passes objects last written before a time to `collect`, by company in batches, and removes unfinished writes; returns
 * how many objects were deleted.
 */
export async function sweepObjects(
  store: ObjectStore,
  before: number,
  collect: CollectObjects,
  stop: AbortSignal,
): Promise<number> {
  await store.dropUnfinished(before);
  let deleted = 0;
  for await (const { companyId, keys } of batches(store, before)) {
    if (stop.aborted) break;
    deleted += await collect(companyId, keys);
  }
  return deleted;
}

async function* batches(store: ObjectStore, before: number): AsyncGenerator<{ companyId: number; keys: string[] }> {
  let companyId = 0;
  let keys: string[] = [];
  for await (const key of store.listOlderThan(before)) {
    const owner = Number(key.split('/')[0]);
    if (keys.length > 0 && (owner !== companyId || keys.length === BATCH)) {
      yield { companyId, keys };
      keys = [];
    }
    companyId = owner;
    keys.push(key);
  }
  if (keys.length > 0) yield { companyId, keys };
}
