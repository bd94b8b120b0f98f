import { Injectable } from '@nestjs/common';
import { ApiError, type RecordedRequest, type RequestFilter } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { type Condition, conditionsOf } from '../../request-records/index.js';
import { RequestReader } from '../../request-reads/index.js';

/** The keys of a recorded request. */
export interface RequestKey {
  id: number;
  request_id: string;
  date_created: number;
}

/** The conditions of a filter. Synthetic requests, among them the judgements of rules, are left out unless asked for. */
const judgedBy = (filter: RequestFilter): Condition[] => [
  ...conditionsOf(filter),
  ...(filter.request_type === undefined ? [{ sql: `t.request_type <> 'SYNTHETIC'`, value: null }] : []),
];

/**
 * The requests that tag rules judge.
 *
 * SQL: pages by the serial number, so that each page costs the same.
 */
@Injectable()
export class TaggableRequests {
  constructor(
    private readonly db: Database,
    private readonly requests: RequestReader,
  ) {}

  /** A request with its messages and answer; 404 when it does not exist. */
  async get(companyId: number, requestId: string): Promise<RecordedRequest> {
    return JSON.parse((await this.requests.get(companyId, requestId)).text) as RecordedRequest;
  }

  /** The same; null when it does not exist. */
  async find(companyId: number, requestId: string): Promise<RecordedRequest | null> {
    try {
      return await this.get(companyId, requestId);
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'not_found') return null;
      throw error;
    }
  }

  /** The number of requests that a filter selects, and the greatest serial number among them. */
  async extent(companyId: number, filter: RequestFilter): Promise<{ count: number; upto: number }> {
    const { where, values } = whereOf(judgedBy(filter));
    const [row] = await this.db.select<{ count: number; upto: number }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT count(*)::int AS count, COALESCE(max(t.id), 0)::bigint AS upto
         FROM traffic.requests t WHERE ${where} OFFSET 0) x`,
      values,
    );
    return row ?? { count: 0, upto: 0 };
  }

  /** The newest requests of a filter. */
  newest(companyId: number, filter: RequestFilter, limit: number): Promise<RequestKey[]> {
    return this.page(companyId, judgedBy(filter), limit, 'DESC');
  }

  /** The requests of a filter after a serial number, up to another one, oldest first. */
  after(companyId: number, filter: RequestFilter, range: { cursor: number; upto: number }, limit: number) {
    const conditions = [
      ...judgedBy(filter),
      { sql: 't.id > ?::bigint', value: range.cursor },
      { sql: 't.id <= ?::bigint', value: range.upto },
    ];
    return this.page(companyId, conditions, limit, 'ASC');
  }

  private page(companyId: number, conditions: Condition[], limit: number, order: string): Promise<RequestKey[]> {
    const { where, values } = whereOf(conditions);
    return this.db.select<RequestKey>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.id, t.request_id, t.date_created FROM traffic.requests t
         WHERE ${where} ORDER BY t.id ${order} LIMIT ${limit}) x ORDER BY x.id ${order}`,
      values,
    );
  }
}

function whereOf(conditions: readonly Condition[]): { where: string; values: unknown[] } {
  const values: unknown[] = [];
  const given = conditions.map(({ sql, value }) =>
    sql.includes('?') ? sql.replaceAll('?', `$${values.push(value) + 1}`) : sql,
  );
  return { where: ['t.company_id = s.company', 't.deleted_at IS NULL', ...given].join(' AND '), values };
}
