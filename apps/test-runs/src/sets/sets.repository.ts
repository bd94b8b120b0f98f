import { Injectable } from '@nestjs/common';
import { type Caller, emits, type JsonText, notFound, type Page, type TestSet } from '@signalbox/contracts';
import { CompanyRepository, Database, type ListOptions, type Tx, type View } from '@signalbox/database';
import { TestSetRow } from './test-set.entity.js';

const view: View = {
  resource: 'test set',
  table: '"test-runs".test_sets',
  columns: [
    'id',
    'name',
    'description',
    'consumer_kinds',
    'criteria_ids',
    'tags',
    'meta',
    'item_count',
    'last_run_at',
    'date_created',
    'date_updated',
  ],
  search: ['t.name', 't.description'],
  sort: { name: 't.name', item_count: 't.item_count', last_run_at: 't.last_run_at' },
};

const TAKEN = { test_sets_name: 'a test set of this name exists already' };

/** The intent group that the meta of a set names; null when it names none. */
export const GROUP_OF_META = `CASE WHEN t.meta->>'intent_group_id' ~ '^[1-9][0-9]{0,8}$' THEN (t.meta->>'intent_group_id')::int END`;

const OF_GROUP = `(SELECT t.tags @> to_jsonb(g.name) OR ${GROUP_OF_META} = g.id OR EXISTS (
    SELECT 1 FROM "test-runs".test_set_items i WHERE i.company_id = t.company_id AND i.test_set_id = t.id
      AND i.intent_group_id = g.id AND i.deleted_at IS NULL)
  FROM json_to_record(?::json) g(id int, name text))`;

type NewSet = Pick<TestSetRow, 'name' | 'consumer_kinds' | 'criteria_ids' | 'tags' | 'meta'> & {
  description?: string | null;
};

/**
 * Rows of test sets.
 *
 * SQL: the counters of a set are written with its items under one lock, and criteria are locked as a list.
 */
@Injectable()
export class TestSets extends CompanyRepository<TestSetRow, TestSet> {
  constructor(db: Database) {
    super(db, { entity: TestSetRow, view, type: 'test_set', taken: TAKEN });
  }

  /** 404 when the set does not exist in the company. */
  async require(companyId: number, id: number): Promise<void> {
    await this.get(companyId, id);
  }

  createSet(caller: Caller, set: NewSet): Promise<JsonText<TestSet>> {
    return this.create(caller, set, [emits('test_set.created')], (tx) => this.lockCriteria(tx, set.criteria_ids));
  }

  /** One page of the sets that come from an intent group: by an item, a tag or their meta. */
  listOfGroup(
    companyId: number,
    group: { id: number; name: string },
    query: ListOptions,
  ): Promise<JsonText<Page<TestSet>>> {
    const filters = [{ sql: OF_GROUP, value: JSON.stringify(group) }];
    return this.list(companyId, { ...query, filters });
  }

  /** Keeps criteria from being deleted until the transaction ends; 404 when one does not exist. */
  async lockCriteria(tx: Tx, ids: readonly number[] = []): Promise<void> {
    if (ids.length === 0) return;
    const rows = await tx.query(
      `SELECT 1 FROM "test-runs".evaluation_criteria
       WHERE company_id = $1 AND id = ANY ($2::int[]) AND deleted_at IS NULL FOR SHARE`,
      [tx.companyId, ids],
    );
    if (rows.length < new Set(ids).size) throw notFound('evaluation criteria');
  }

  /** Locks a set whose items are about to change and returns its counters; 404 when it does not exist. */
  async lockItems(tx: Tx, id: number): Promise<Pick<TestSetRow, 'id' | 'item_count' | 'next_position'>> {
    const [set] = await tx.query<Pick<TestSetRow, 'id' | 'item_count' | 'next_position'>>(
      `SELECT id, item_count, next_position FROM "test-runs".test_sets
       WHERE company_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`,
      [tx.companyId, id],
    );
    if (!set) throw notFound('test set');
    return set;
  }

  /** Adds to the counters of a locked set. */
  async count(tx: Tx, id: number, change: { items: number; positions: number }): Promise<void> {
    await tx.query(
      `UPDATE "test-runs".test_sets SET item_count = item_count + $3, next_position = next_position + $4
       WHERE company_id = $1 AND id = $2`,
      [tx.companyId, id, change.items, change.positions],
    );
  }
}
