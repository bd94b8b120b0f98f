import { isJsonObject, named, sameJson } from '@signalbox/contracts';

export { sameJson };

export interface Part {
  /** The identifying field; items with equal values are matched by order. */
  by: string;
  /** Fields that may differ between equal items, such as the id of a recreated part. */
  ignoring?: readonly string[];
}

type Changes = Record<string, { from: unknown; to: unknown }>;

export interface SnapshotDiff {
  has_changes: boolean;
  changes: Changes;
  [part: string]: unknown;
}

function compare(left: unknown, right: unknown, path: string, changes: Changes): void {
  if (sameJson(left, right)) return;
  if (isJsonObject(left) && isJsonObject(right)) {
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)]))
      compare(left[key], right[key], path ? `${path}.${key}` : key, changes);
  } else changes[path] = { from: left ?? null, to: right ?? null };
}

function compareParts(left: unknown, right: unknown, { by, ignoring = [] }: Part) {
  const canonical = (item: object = {}): object =>
    Object.fromEntries(Object.entries(item).filter(([key]) => !ignoring.includes(key)));
  const index = (items: unknown) => named((Array.isArray(items) ? items : []).filter(isJsonObject), by);
  const [from, to] = [index(left), index(right)];
  return {
    added: [...to].filter(([key]) => !from.has(key)).map(([, item]) => item),
    removed: [...from].filter(([key]) => !to.has(key)).map(([, item]) => item),
    changed: [...to]
      .filter(([key, item]) => from.has(key) && !sameJson(canonical(from.get(key)), canonical(item)))
      .map(([key, item]) => ({ [by]: item[by], from: from.get(key), to: item })),
  };
}

/** Scalars are compared by path, the lists of `parts` item by item. */
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
