import { Injectable } from '@nestjs/common';
import type { FallbackGroup, InputOf, Page, ReportedFallback, reports } from '@signalbox/contracts';
import { Database, likeText } from '@signalbox/database';
import { DAY, directionOf, ReportConditions } from './report-query.js';

/** The filters of fallbacks. */
export type FallbackFilters = Omit<
  InputOf<typeof reports.endpoints.listFallbacks>,
  'offset' | 'limit' | 'sort' | 'format' | 'search'
>;
type List = InputOf<typeof reports.endpoints.listFallbacks>;

/** Requests that an earlier release recorded have no strategy; only one of them has a reason that no other has. */
const STRATEGY = `COALESCE(t.fallback_strategy, CASE WHEN t.fallback_reason = 'first_response' THEN 'first_response' END)`;
const FIELDS = `t.id, t.request_id, t.primary_model, t.model AS fallback_model, ${STRATEGY} AS strategy, t.fallback_reason,
  t.response_time_ms AS latency_ms, t.date_created`;

const KEYS: Readonly<Record<FallbackGroup, string>> = {
  primary_model: 't.primary_model',
  fallback_model: 't.model',
  reason: 't.fallback_reason',
  day: DAY,
};

const conditionsOf = (input: FallbackFilters): ReportConditions =>
  new ReportConditions(input, ['t.fallback_used']).add('t.model = ?', input.model);

/**
 * Requests that a fallback model answered.
 *
 * SQL: fallbacks are counted by columns of their requests.
 */
@Injectable()
export class FallbackReports {
  constructor(private readonly db: Database) {}

  async list(companyId: number, { offset, limit, sort, search, ...input }: List): Promise<Page<ReportedFallback>> {
    const searched = (): ReportConditions =>
      conditionsOf(input).add('(t.model ILIKE ? OR t.primary_model ILIKE ?)', search ? likeText(search) : undefined);
    const conditions = searched();
    const direction = directionOf(sort);
    const data = await this.db.select<ReportedFallback & { id: number }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT ${FIELDS} FROM traffic.requests t WHERE ${conditions.where}
         ORDER BY t.id ${direction} LIMIT ${conditions.place(limit)}::int OFFSET ${conditions.place(offset)}::bigint) x
       ORDER BY x.id ${direction}`,
      conditions.values,
    );
    const { where, values } = searched();
    const [counted] = await this.db.select<{ total: number }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT count(*)::bigint AS total FROM traffic.requests t WHERE ${where} OFFSET 0) x`,
      values,
    );
    return { data: data.map(withoutId), pagination: { total: counted?.total ?? 0, offset, limit } };
  }

  /** The fallbacks from the newest on, in batches. */
  async *all(companyId: number, input: FallbackFilters, size: number): AsyncGenerator<ReportedFallback[]> {
    for (let before: number | undefined; ;) {
      const conditions = conditionsOf(input).add('t.id < ?::bigint', before);
      const rows = await this.db.select<ReportedFallback & { id: number }>(
        companyId,
        `SELECT x.* FROM s, LATERAL (SELECT ${FIELDS} FROM traffic.requests t WHERE ${conditions.where}
           ORDER BY t.id DESC LIMIT ${conditions.place(size)}::int) x ORDER BY x.id DESC`,
        conditions.values,
      );
      if (rows.length > 0) yield rows.map(withoutId);
      if (rows.length < size) return;
      before = rows.at(-1)?.id;
    }
  }

  /** The number of fallbacks of each group. */
  counts(companyId: number, input: FallbackFilters, group: FallbackGroup): Promise<{ key: string; count: number }[]> {
    const { where, values } = conditionsOf(input);
    return this.db.select<{ key: string; count: number }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT COALESCE(${KEYS[group]}, 'unknown') AS key, count(*)::int AS count
         FROM traffic.requests t WHERE ${where} GROUP BY 1 OFFSET 0) x`,
      values,
    );
  }
}

function withoutId({ id: _id, ...fallback }: ReportedFallback & { id: number }): ReportedFallback {
  return fallback;
}
