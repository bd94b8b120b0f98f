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
import { Database, type View } from '@signalbox/database';
import { listedItemView } from '../items/index.js';
import { GROUP_OF_META } from '../sets/index.js';

/** Items of agents do not appear under the legacy paths. */
const NOT_OF_AGENTS = `source_type <> 'AGENT_TASK'`;

const setView: View = {
  resource: 'test set',
  table: '"test-runs".test_sets',
  columns: ['id', 'name', 'date_created'],
  computed: {
    intent_group_id: GROUP_OF_META,
    request_count: `(SELECT count(*)::int FROM "test-runs".test_set_items i WHERE i.company_id = t.company_id
      AND i.test_set_id = t.id AND i.deleted_at IS NULL AND i.${NOT_OF_AGENTS})`,
  },
  search: ['t.name'],
};

const { input = '', effective_expected_output: expected_response = '' } = listedItemView.computed ?? {};

const requestView: View = {
  resource: 'test set item',
  table: listedItemView.table,
  columns: ['id'],
  computed: {
    request_id: `CASE WHEN t.source_type = 'REQUEST' THEN t.source_id END`,
    messages: `(${input})->'messages'`,
    expected_response,
  },
  alive: `${listedItemView.alive} AND t.${NOT_OF_AGENTS}`,
  search: ['t.source_id'],
};

const OF_TYPE: Record<LegacyType, string> = {
  request: `(t.consumer_kinds = '[]' OR t.consumer_kinds @> '["MODEL"]')`,
  workflow: `t.consumer_kinds @> '["WORKFLOW"]'`,
};

@Injectable()
export class LegacySets {
  constructor(private readonly db: Database) {}

  list(companyId: number, query: ListQuery & { type: LegacyType }): Promise<JsonText<Page<LegacyTestSet>>> {
    const filters = [{ sql: OF_TYPE[query.type], value: null }];
    return this.db.list<LegacyTestSet>(setView, companyId, { ...query, filters });
  }

  async get(companyId: number, id: number): Promise<JsonText<LegacyTestSet>> {
    const set = await this.db.readOne<LegacyTestSet>(setView, companyId, id);
    if (!set) throw notFound('test set');
    return set;
  }

  async requests(companyId: number, id: number, query: ListQuery): Promise<JsonText<Page<LegacyTestSetRequest>>> {
    await this.get(companyId, id);
    const filters = [{ sql: 't.test_set_id = ?', value: id }];
    return this.db.list<LegacyTestSetRequest>(requestView, companyId, { ...query, filters });
  }

  async requestsNamed(companyId: number, id: number, requestIds: readonly string[]): Promise<LegacyTestSetRequest[]> {
    const filters = [
      { sql: 't.test_set_id = ?', value: id },
      { sql: `t.source_type = 'REQUEST' AND t.source_id = ANY (?::text[])`, value: requestIds },
    ];
    const query = { offset: 0, limit: requestIds.length, sort: 'id', filters };
    const page = await this.db.list<LegacyTestSetRequest>(requestView, companyId, query);
    return (JSON.parse(page.text) as Page<LegacyTestSetRequest>).data;
  }

  /** 404 for an item that the legacy paths do not show. */
  async requireRequest(companyId: number, id: number): Promise<void> {
    if (!(await this.db.readOne(requestView, companyId, id))) throw notFound('test set item');
  }
}
