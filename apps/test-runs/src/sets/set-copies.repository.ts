import { Injectable } from '@nestjs/common';
import {
  type Caller,
  emission,
  emits,
  type JsonText,
  testEvents,
  type TestSet,
  type TestSetItemRecord,
} from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import { TestSets } from './sets.repository.js';
import { COPY_ITEMS, COPY_OVERRIDES, LINK_OVERRIDES } from './set-copies.sql.js';

/** SQL: items and overrides are copied without leaving Postgres. */
@Injectable()
export class TestSetCopies {
  constructor(
    private readonly db: Database,
    private readonly sets: TestSets,
  ) {}

  /** The items cannot change meanwhile. */
  clone(caller: Caller, id: number, name: string): Promise<JsonText<TestSet>> {
    return this.db.withCompany(
      caller,
      async (tx) => {
        const { row } = await this.sets.lock(tx, id);
        await this.sets.lockCriteria(tx, row.criteria_ids);
        const { description, consumer_kinds, criteria_ids, tags, meta, item_count, next_position } = row;
        let items: TestSetItemRecord[] = [];
        const copy = await this.sets.createIn(
          tx,
          { name, description, consumer_kinds, criteria_ids, tags, meta, item_count, next_position },
          [emits('test_set.created')],
          async (copyId) => {
            items = await this.copyItems(tx, id, copyId);
          },
        );
        tx.emitTogether(items.map((item) => emission(testEvents, 'test_set_item.added', item.id, item)));
        return copy;
      },
      this.sets.resource.uniqueViolations,
    );
  }

  private async copyItems(tx: Tx, from: number, to: number): Promise<TestSetItemRecord[]> {
    const items = await tx.query<TestSetItemRecord>(COPY_ITEMS, [tx.companyId, from, to]);
    // An item is found by its position, which the copy keeps.
    await tx.query(COPY_OVERRIDES, [tx.companyId, from, to]);
    await tx.query(LINK_OVERRIDES, [tx.companyId, to]);
    return items;
  }
}
