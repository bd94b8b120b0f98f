/** Serial numbers above `cursor` up to `upto`. */
export interface IdRange {
  cursor: number;
  upto: number;
}

const [LEAST, MOST] = [5000, 80_000];
/** A window that is read faster is followed by one of twice its width. */
const QUICK_MS = 100;

/**
 * Windows over serial numbers, in either order, for statements that read all requests of a range: what a filter selects
 * may be few of all, and has no index. A statement for each window stays far below the time-out.
 */
export async function* idWindows({ cursor, upto }: IdRange, order: 'ASC' | 'DESC' = 'ASC'): AsyncGenerator<IdRange> {
  let width = LEAST;
  for (let done = 0; cursor + done < upto;) {
    const next = Math.min(done + width, upto - cursor);
    const startedAt = performance.now();
    yield order === 'ASC' ? { cursor: cursor + done, upto: cursor + next } : { cursor: upto - next, upto: upto - done };
    if (performance.now() - startedAt < QUICK_MS) width = Math.min(width * 2, MOST);
    done = next;
  }
}
