import { Injectable } from '@nestjs/common';
import { type Caller, emits, type JsonText, notFound, type Page, type TestSet } from '@signalbox/contracts';
import { CompanyRepository, Database, type ListOptions, type Tx, filtersOf } from '@signalbox/database';
import { TestSetRow } from './test-set.entity.js';
import { ADD_TO_COUNTERS, LOCK_COUNTERS, view } from './sets.sql.js';
import { LOCK_CRITERIA } from '../criteria/index.js';

const TAKEN = { test_sets_name: 'a test set of this name exists already' };

type NewSet = Pick<TestSetRow, 'name' | 'consumer_kinds' | 'criteria_ids' | 'tags' | 'meta'> & {
  description?: string | null;
};

/** SQL: the counters of a set are written with its items under one lock, and criteria are locked as a list. */
@Injectable()
export class TestSets extends CompanyRepository<TestSetRow, TestSet> {
  constructor(db: Database) {
    super(db, { entity: TestSetRow, view, type: 'test_set', uniqueViolations: TAKEN });
  }

  async require(companyId: number, id: number): Promise<void> {
    await this.get(companyId, id);
  }

  createSet(caller: Caller, set: NewSet): Promise<JsonText<TestSet>> {
    return this.create(caller, set, [emits('test_set.created')], (tx) => this.lockCriteria(tx, set.criteria_ids));
  }

  /** Returns what `reply` makes of the set in the same transaction: the idempotency record keeps that. */
  createFor<T>(caller: Caller, set: NewSet, reply: (tx: Tx, id: number) => Promise<T>): Promise<T> {
    const create = async (tx: Tx): Promise<T> => {
      await this.lockCriteria(tx, set.criteria_ids);
      const created = await this.createIn(tx, set, [emits('test_set.created')]);
      return reply(tx, (JSON.parse(created.text) as TestSet).id);
    };
    return this.db.withCompany(caller, create, TAKEN);
  }

  listOfGroup(
    companyId: number,
    group: { id: number; name: string },
    query: ListOptions,
  ): Promise<JsonText<Page<TestSet>>> {
    return this.list(companyId, { ...query, filters: filtersOf(view, { of_group: JSON.stringify(group) }) });
  }

  /** Prevents their deletion until the transaction ends; 404 when one does not exist. */
  async lockCriteria(tx: Tx, ids: readonly number[] = []): Promise<void> {
    if (ids.length === 0) return;
    const rows = await tx.query(LOCK_CRITERIA, [tx.companyId, ids]);
    if (rows.length < new Set(ids).size) throw notFound('evaluation criteria');
  }

  /** Before a change of its items; 404 when the set does not exist. */
  async lockItems(tx: Tx, id: number): Promise<Pick<TestSetRow, 'id' | 'item_count' | 'next_position'>> {
    const [set] = await tx.query<Pick<TestSetRow, 'id' | 'item_count' | 'next_position'>>(LOCK_COUNTERS, [
      tx.companyId,
      id,
    ]);
    if (!set) throw notFound('test set');
    return set;
  }

  /** The set must be locked. */
  async count(tx: Tx, id: number, change: { items: number; positions: number }): Promise<void> {
    await tx.query(ADD_TO_COUNTERS, [tx.companyId, id, change.items, change.positions]);
  }
}
