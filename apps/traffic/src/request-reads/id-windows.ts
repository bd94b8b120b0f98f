/** Serial numbers above `cursor` up to `upto`. */
export interface IdRange {
  cursor: number;
  upto: number;
}

export type IdOrder = 'ASC' | 'DESC';

/** Where a window of so many rows from the begin of a range on ends; null when the range has no more than these. */
export type WindowEnd = (range: IdRange, rows: number) => Promise<number | null>;

const [LEAST, MOST] = [5000, 80_000];
/** A window that is read faster is followed by one of twice its rows. */
const QUICK_MS = 100;

/**
 * Windows over serial numbers, in either order, for statements that read all requests of a range: what a filter selects
 * may be few of all, and has no index. A statement for each window stays far below the time-out. A window is as wide as
 * its rows are far apart: the numbers between them are those of other companies.
 */
export async function* idWindows(range: IdRange, order: IdOrder, endOf: WindowEnd): AsyncGenerator<IdRange> {
  let rows = LEAST;
  for (let left = range; left.cursor < left.upto;) {
    const end = left.upto - left.cursor > rows ? await endOf(left, rows) : null;
    const window = order === 'ASC' ? { ...left, upto: end ?? left.upto } : { ...left, cursor: end ?? left.cursor };
    const startedAt = performance.now();
    yield window;
    if (performance.now() - startedAt < QUICK_MS) rows = Math.min(rows * 2, MOST);
    left = order === 'ASC' ? { ...left, cursor: window.upto } : { ...left, upto: window.cursor };
  }
}
