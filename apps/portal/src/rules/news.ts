export interface News<T> {
  /** New rows, at most a page of them. */
  count: number;
  /** Something changed that cannot be counted. */
  hasChanged: boolean;
  fresh: Map<string, T>;
}

interface Shown<T> {
  data: readonly T[];
  pagination: { total: number };
}

export function newsOf<T>(shown: Shown<T>, now: Shown<T>, keyOf: (row: T) => string, isNewestFirst: boolean): News<T> {
  const fresh = new Map(now.data.map((row) => [keyOf(row), row]));
  const known = new Set(shown.data.map(keyOf));
  const difference = now.pagination.total - shown.pagination.total;
  if (!isNewestFirst) return { count: Math.max(0, difference), hasChanged: difference !== 0, fresh };
  const first = now.data.findIndex((row) => known.has(keyOf(row)));
  const count = first < 0 ? now.data.length : first;
  return { count, hasChanged: count > 0 || difference !== 0, fresh };
}
