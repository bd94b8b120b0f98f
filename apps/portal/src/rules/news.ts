/** How the first page of a list has changed since it was shown. */
export interface News<T> {
  /** Rows that are not shown yet; at most a page of them is counted. */
  count: number;
  /** Something is there or gone, without a count. */
  hasChanged: boolean;
  /** The present state of rows that are shown. */
  fresh: Map<string, T>;
}

interface Shown<T> {
  data: readonly T[];
  pagination: { total: number };
}

/** Compares the page that is shown with the one that was read now; new rows stand at the top when the newest come first. */
export function newsOf<T>(shown: Shown<T>, now: Shown<T>, keyOf: (row: T) => string, isNewestFirst: boolean): News<T> {
  const fresh = new Map(now.data.map((row) => [keyOf(row), row]));
  const known = new Set(shown.data.map(keyOf));
  const difference = now.pagination.total - shown.pagination.total;
  if (!isNewestFirst) return { count: Math.max(0, difference), hasChanged: difference !== 0, fresh };
  const first = now.data.findIndex((row) => known.has(keyOf(row)));
  const count = first < 0 ? now.data.length : first;
  return { count, hasChanged: count > 0 || difference !== 0, fresh };
}
