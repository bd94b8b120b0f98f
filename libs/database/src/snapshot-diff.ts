/** How the items of a list in a snapshot are told apart and compared. */
export interface Part {
  /** The field that names an item. */
  by: string;
  /** Fields that may differ between equal items, such as the id of a part that was deleted and made again. */
  ignoring?: readonly string[];
}

type Changes = Record<string, { from: unknown; to: unknown }>;

/** The outcome of comparing two snapshots. */
export interface SnapshotDiff {
  has_changes: boolean;
  changes: Changes;
  [part: string]: unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True when two JSON values are equal, whatever the order of their keys. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => sameJson(item, right[index]));
  if (isObject(left) && isObject(right)) {
    const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
    return [...keys].every((key) => sameJson(left[key], right[key]));
  }
  return (left ?? null) === (right ?? null);
}

function compare(left: unknown, right: unknown, path: string, changes: Changes): void {
  if (sameJson(left, right)) return;
  if (isObject(left) && isObject(right)) {
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)]))
      compare(left[key], right[key], path ? `${path}.${key}` : key, changes);
  } else changes[path] = { from: left ?? null, to: right ?? null };
}

function compareParts(left: unknown, right: unknown, { by, ignoring = [] }: Part) {
  const essence = (item: object = {}): object =>
    Object.fromEntries(Object.entries(item).filter(([key]) => !ignoring.includes(key)));
  const index = (items: unknown): Map<unknown, object> =>
    new Map((Array.isArray(items) ? items : []).filter(isObject).map((item) => [item[by], item]));
  const [from, to] = [index(left), index(right)];
  return {
    added: [...to].filter(([key]) => !from.has(key)).map(([, item]) => item),
    removed: [...from].filter(([key]) => !to.has(key)).map(([, item]) => item),
    changed: [...to]
      .filter(([key, item]) => from.has(key) && !sameJson(essence(from.get(key)), essence(item)))
      .map(([key, item]) => ({ [by]: key, from: from.get(key), to: item })),
  };
}

/** Compares two snapshots: scalar paths one by one, the named lists item by item under the field that names an item. */
export function diffSnapshots(left: object, right: object, parts: Record<string, Part>): SnapshotDiff {
  const without = (snapshot: object): object =>
    Object.fromEntries(Object.entries(snapshot).filter(([key]) => !(key in parts)));
  const changes: Changes = {};
  compare(without(left), without(right), '', changes);
  const compared = Object.fromEntries(
    Object.entries(parts).map(([part, how]) => [
      part,
      compareParts((left as Record<string, unknown>)[part], (right as Record<string, unknown>)[part], how),
    ]),
  );
  const partsChanged = Object.values(compared).some((p) => p.added.length + p.removed.length + p.changed.length > 0);
  return { has_changes: partsChanged || Object.keys(changes).length > 0, changes, ...compared };
}
