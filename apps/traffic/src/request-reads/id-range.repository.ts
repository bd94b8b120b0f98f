import type { Database } from '@signalbox/database';
import { ID_RANGE } from './id-range.sql.js';
import type { IdRange } from './id-windows.js';

export async function idRangeOf(db: Database, companyId: number): Promise<IdRange> {
  const [range] = await db.select<IdRange>(companyId, ID_RANGE);
  return range ?? { cursor: 0, upto: 0 };
}
