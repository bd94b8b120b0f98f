export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True when two JSON values are equal, whatever the order of their keys. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => sameJson(item, right[index]));
  if (isJsonObject(left) && isJsonObject(right)) {
    const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
    return [...keys].every((key) => sameJson(left[key], right[key]));
  }
  return (left ?? null) === (right ?? null);
}

/** Indexes items by their name; the second and later items of a name get a suffixed key. */
export function named<Item extends Record<string, unknown>>(items: readonly Item[], by: string): Map<unknown, Item> {
  const found = new Map<unknown, Item>();
  for (const item of items) {
    let key = item[by];
    for (let n = 2; found.has(key); n++) key = JSON.stringify([item[by], n]);
    found.set(key, item);
  }
  return found;
}

/**
 * The deepest nesting of external JSON that is read. Deeper values can be parsed, but code that walks or writes them
 * needs a stack frame per level.
 */
export const MAX_FOREIGN_DEPTH = 1_000;

/** True when a JSON value is nested deeper than `levels`; does not walk beyond that depth. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  // Without a list of the values: every answer and every chunk of a stream is walked.
  if (Array.isArray(value)) {
    for (const child of value) if (isDeeperThan(child, levels - 1)) return true;
  } else {
    for (const key in value) if (isDeeperThan((value as Record<string, unknown>)[key], levels - 1)) return true;
  }
  return false;
}
