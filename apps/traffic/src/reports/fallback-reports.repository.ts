import { Injectable } from '@nestjs/common';
import type { FallbackGroup, InputOf, Page, ReportedFallback, reports } from '@signalbox/contracts';
import { Database, type Filter, filtersOf, likeText, placedValues } from '@signalbox/database';
import { spanOf } from '../analytics/index.js';
import { COUNT_FALLBACKS, FALLBACK, FALLBACKS_BY_GROUP, LIST_FALLBACKS } from './fallback-reports.sql.js';
import { directionOf } from './report-query.js';

export type FallbackFilters = Omit<
  InputOf<typeof reports.endpoints.listFallbacks>,
  'offset' | 'limit' | 'sort' | 'format' | 'search'
>;
type List = InputOf<typeof reports.endpoints.listFallbacks>;

function conditionsOf(
  input: FallbackFilters,
  { search, before }: { search?: string | undefined; before?: number | undefined } = {},
): Filter[] {
  const { application_id, intent_id, model } = input;
  const { start: start_date, end: end_date } = spanOf(input, Date.now());
  const scope = { start_date, end_date, application_id, intent_id, model };
  return filtersOf(FALLBACK, { ...scope, search: search ? likeText(search) : undefined, before });
}

/** SQL: fallbacks are counted by columns of their requests. */
@Injectable()
export class FallbackReports {
  constructor(private readonly db: Database) {}

  async list(companyId: number, { offset, limit, sort, search, ...input }: List): Promise<Page<ReportedFallback>> {
    const conditions = conditionsOf(input, { search });
    const data = await this.db.select<ReportedFallback & { id: number }>(
      companyId,
      LIST_FALLBACKS(conditions, directionOf(sort)),
      [limit, offset, ...placedValues(conditions)],
    );
    const [counted] = await this.db.select<{ total: number }>(
      companyId,
      COUNT_FALLBACKS(conditions),
      placedValues(conditions),
    );
    return { data: data.map(withoutId), pagination: { total: counted?.total ?? 0, offset, limit } };
  }

  /** Newest first, in batches of `size`. */
  async *all(companyId: number, input: FallbackFilters, size: number): AsyncGenerator<ReportedFallback[]> {
    for (let before: number | undefined; ;) {
      const conditions = conditionsOf(input, { before });
      const rows = await this.db.select<ReportedFallback & { id: number }>(
        companyId,
        LIST_FALLBACKS(conditions, 'DESC'),
        [size, 0, ...placedValues(conditions)],
      );
      if (rows.length > 0) yield rows.map(withoutId);
      if (rows.length < size) return;
      before = rows.at(-1)?.id;
    }
  }

  counts(companyId: number, input: FallbackFilters, group: FallbackGroup): Promise<{ key: string; count: number }[]> {
    const conditions = conditionsOf(input);
    return this.db.select(companyId, FALLBACKS_BY_GROUP(group, conditions), placedValues(conditions));
  }
}

function withoutId({ id: _id, ...fallback }: ReportedFallback & { id: number }): ReportedFallback {
  return fallback;
}
