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
import { RECORD_COLUMNS } from './item-record.js';
import { TestSets } from './sets.repository.js';

const COPIED = [
  'position',
  'source_type',
  'source_id',
  'flatten_variant',
  'intent_group_id',
  'input',
  'expected_output',
  'baseline_hash',
  'file_source',
  'meta',
  'body_bytes',
];

/**
 * Copies of test sets with their items and overrides.
 *
 * SQL: items and overrides are copied without leaving Postgres.
 */
@Injectable()
export class TestSetCopies {
  constructor(
    private readonly db: Database,
    private readonly sets: TestSets,
  ) {}

  /** Copies a set under another name; its items cannot change meanwhile. */
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
      this.sets.resource.taken,
    );
  }

  private async copyItems(tx: Tx, from: number, to: number): Promise<TestSetItemRecord[]> {
    const items = await tx.query<TestSetItemRecord>(
      `INSERT INTO "test-runs".test_set_items (company_id, test_set_id, ${COPIED.join(', ')})
       SELECT company_id, $3, ${COPIED.join(', ')} FROM "test-runs".test_set_items
       WHERE company_id = $1 AND test_set_id = $2 AND deleted_at IS NULL ORDER BY position
       RETURNING ${RECORD_COLUMNS.join(', ')}`,
      [tx.companyId, from, to],
    );
    // An item is found by its position, which the copy keeps.
    await tx.query(
      `INSERT INTO "test-runs".response_subs (company_id, item_id, expected_output, note, author_key_id, date_created, date_updated)
       SELECT n.company_id, n.id, r.expected_output, r.note, r.author_key_id, r.date_created, r.date_updated
       FROM "test-runs".test_set_items o
       JOIN "test-runs".response_subs r ON r.company_id = o.company_id AND r.id = o.response_sub_id
       JOIN "test-runs".test_set_items n ON n.company_id = o.company_id AND n.test_set_id = $3 AND n.position = o.position
       WHERE o.company_id = $1 AND o.test_set_id = $2 AND o.deleted_at IS NULL`,
      [tx.companyId, from, to],
    );
    await tx.query(
      `UPDATE "test-runs".test_set_items n SET response_sub_id = r.id FROM "test-runs".response_subs r
       WHERE n.company_id = $1 AND n.test_set_id = $2 AND r.company_id = n.company_id AND r.item_id = n.id`,
      [tx.companyId, to],
    );
    return items;
  }
}
