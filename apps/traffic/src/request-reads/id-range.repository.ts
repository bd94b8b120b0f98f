import type { Database } from '@signalbox/database';
import { END_OF_WINDOW, ID_RANGE } from './id-range.sql.js';
import { type IdOrder, type IdRange, idWindows } from './id-windows.js';

export async function idRangeOf(db: Database, companyId: number): Promise<IdRange> {
  const [range] = await db.select<IdRange>(companyId, ID_RANGE);
  return range ?? { cursor: 0, upto: 0 };
}

/** Windows over the requests of a company. */
export const windowsOf = (
  db: Database,
  companyId: number,
  range: IdRange,
  order: IdOrder = 'ASC',
): AsyncGenerator<IdRange> =>
  idWindows(range, order, async ({ cursor, upto }, rows) => {
    const [end] = await db.select<{ id: number }>(companyId, END_OF_WINDOW(order), [cursor, upto, rows]);
    return end?.id ?? null;
  });
