import type { Database, Filter } from '@signalbox/database';
import { REQUEST, SHORT_MS } from '../request-records/index.js';
import { FIRST_SINCE } from './tag-condition.sql.js';

const { tag_ids: joined, tagged: lookedUp, start_date } = REQUEST.filters ?? {};

/**
 * Looks the tags of each request up where the company has none from before two days, however long the span: Postgres has
 * no statistics of them yet.
 */
export async function tagConditionIn(
  db: Database,
  companyId: number,
  conditions: readonly Filter[],
): Promise<readonly Filter[]> {
  if (lookedUp === undefined || !conditions.some(({ sql }) => sql === joined)) return conditions;
  const start = conditions.find(({ sql }) => sql === start_date)?.value ?? 0;
  const [found] = await db.select<{ first: number | null }>(companyId, FIRST_SINCE, [start]);
  const isNew = (found?.first ?? 0) > Date.now() - SHORT_MS;
  return isNew ? conditions.map((each) => (each.sql === joined ? { ...each, sql: lookedUp } : each)) : conditions;
}
