import { Injectable } from '@nestjs/common';
import {
  type JsonText,
  type LegacyTestSet,
  type LegacyTestSetRequest,
  type LegacyType,
  type ListQuery,
  notFound,
  type Page,
} from '@signalbox/contracts';
import { Database, filtersOf, type Tx } from '@signalbox/database';
import { requestView, setView } from './legacy-sets.sql.js';

@Injectable()
export class LegacySets {
  constructor(private readonly db: Database) {}

  list(companyId: number, query: ListQuery & { type: LegacyType }): Promise<JsonText<Page<LegacyTestSet>>> {
    const filters = filtersOf(setView, { [query.type]: true });
    return this.db.list<LegacyTestSet>(setView, companyId, { ...query, filters });
  }

  async get(companyId: number, id: number): Promise<JsonText<LegacyTestSet>> {
    const set = await this.db.readOne<LegacyTestSet>(setView, companyId, id);
    if (!set) throw notFound('test set');
    return set;
  }

  async readIn(tx: Tx, id: number): Promise<JsonText<LegacyTestSet>> {
    const set = await tx.read<LegacyTestSet>(setView, id);
    if (!set) throw notFound('test set');
    return set;
  }

  async requests(companyId: number, id: number, query: ListQuery): Promise<JsonText<Page<LegacyTestSetRequest>>> {
    await this.get(companyId, id);
    const filters = filtersOf(requestView, { test_set_id: id });
    return this.db.list<LegacyTestSetRequest>(requestView, companyId, { ...query, filters });
  }

  async requestsNamed(companyId: number, id: number, requestIds: readonly string[]): Promise<LegacyTestSetRequest[]> {
    const filters = filtersOf(requestView, { test_set_id: id, request_ids: requestIds });
    const query = { offset: 0, limit: requestIds.length, sort: 'id', filters };
    const page = await this.db.list<LegacyTestSetRequest>(requestView, companyId, query);
    return (JSON.parse(page.text) as Page<LegacyTestSetRequest>).data;
  }

  /** 404 for an item that the legacy paths do not show. */
  async requireRequest(companyId: number, id: number): Promise<void> {
    if (!(await this.db.readOne(requestView, companyId, id))) throw notFound('test set item');
  }
}
