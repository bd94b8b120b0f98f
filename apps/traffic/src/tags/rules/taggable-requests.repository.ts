import { Injectable } from '@nestjs/common';
import { nullIfNotFound, type RecordedRequest, type RequestFilter } from '@signalbox/contracts';
import { Database, type Filter, placedValues } from '@signalbox/database';
import { conditionsOf } from '../../request-records/index.js';
import { type IdRange, idRangeOf, RequestReader, windowsOf } from '../../request-reads/index.js';
import { EXTENT_OF_FILTER, NOT_SYNTHETIC, PAGE_OF_FILTER, within } from './taggable-requests.sql.js';

export interface RequestKey {
  id: number;
  request_id: string;
  date_created: number;
}

/** Without synthetic requests, among them the judgements of rules, unless the filter asks for them. */
const judgedBy = (filter: RequestFilter): Filter[] => [
  ...conditionsOf(filter),
  ...(filter.request_type === undefined ? [NOT_SYNTHETIC] : []),
];

/** SQL: pages by the serial number, so that each page costs the same. */
@Injectable()
export class TaggableRequests {
  constructor(
    private readonly db: Database,
    private readonly requests: RequestReader,
  ) {}

  async get(companyId: number, requestId: string): Promise<RecordedRequest> {
    return JSON.parse((await this.requests.get(companyId, requestId)).text) as RecordedRequest;
  }

  find(companyId: number, requestId: string): Promise<RecordedRequest | null> {
    return this.get(companyId, requestId).catch(nullIfNotFound);
  }

  /** Requests that are recorded meanwhile are not counted. */
  async extent(companyId: number, filter: RequestFilter): Promise<{ count: number; upto: number }> {
    const extent = { count: 0, upto: 0 };
    const all = await idRangeOf(this.db, companyId);
    for await (const window of windowsOf(this.db, companyId, all)) {
      const conditions = [...judgedBy(filter), ...within(window)];
      const [row] = await this.db.select<{ count: number; upto: number | null }>(
        companyId,
        EXTENT_OF_FILTER(conditions),
        placedValues(conditions),
      );
      extent.count += row?.count ?? 0;
      extent.upto = row?.upto ?? extent.upto;
    }
    return extent;
  }

  newest(companyId: number, filter: RequestFilter, limit: number): Promise<RequestKey[]> {
    return this.page(companyId, judgedBy(filter), limit, 'DESC');
  }

  /** Fewer than `limit` when there are no more. */
  async after(companyId: number, filter: RequestFilter, range: IdRange, limit: number): Promise<RequestKey[]> {
    const found: RequestKey[] = [];
    for await (const window of windowsOf(this.db, companyId, range)) {
      const conditions = [...judgedBy(filter), ...within(window)];
      const page = await this.page(companyId, conditions, limit, 'ASC');
      found.push(...page.slice(0, limit - found.length));
      if (found.length === limit) break;
    }
    return found;
  }

  private page(companyId: number, conditions: Filter[], limit: number, order: 'ASC' | 'DESC'): Promise<RequestKey[]> {
    return this.db.select<RequestKey>(companyId, PAGE_OF_FILTER(conditions, order, limit), placedValues(conditions));
  }
}
