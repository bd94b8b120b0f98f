import { Injectable } from '@nestjs/common';
import {
  type Caller,
  type Deleted,
  emission,
  emits,
  type Expected,
  type JsonText,
  type ListedTestSetItem,
  notFound,
  type Page,
  type ResponseSub,
  testEvents,
  type TestSetItem,
  type TestSetItemRecord,
} from '@signalbox/contracts';
import { CompanyRepository, Database, type Decision, type ListOptions, type Tx, filtersOf } from '@signalbox/database';
import { requireCapacity, TestSets } from '../sets/index.js';
import { bodyBytes, requireInSet } from './item.js';
import { ItemRow } from './item.entity.js';
import { itemView, listedItemView } from './item-views.sql.js';
import { DELETE_ITEM, INSERT_ITEMS, INSERT_OVERRIDE, RETIRE_OVERRIDE } from './items.sql.js';

export interface FileSource {
  source_type: ItemRow['source_type'];
  source_id: string;
  flatten_variant?: ItemRow['flatten_variant'];
}

export interface NewItem extends Pick<ItemRow, 'source_type' | 'source_id' | 'input' | 'expected_output' | 'meta'> {
  flatten_variant?: ItemRow['flatten_variant'];
  intent_group_id?: number | null;
  baseline_hash?: string | null;
  file_source?: FileSource | null;
  response_sub?: { expected_output: Expected; note: string | null } | null;
}

const columnsOf = ({ response_sub: _later, ...item }: NewItem): object =>
  Object.fromEntries(
    Object.entries({ ...item, body_bytes: bodyBytes(item.input, item.expected_output) }).filter(
      ([, value]) => value != null,
    ),
  );

/** SQL: items are added in bulk from JSON under the lock of their set. */
@Injectable()
export class TestSetItems extends CompanyRepository<ItemRow, TestSetItem> {
  constructor(
    db: Database,
    private readonly sets: TestSets,
  ) {
    super(db, { entity: ItemRow, view: itemView, type: 'test_set_item' });
  }

  async page(companyId: number, setId: number, query: ListOptions): Promise<JsonText<Page<ListedTestSetItem>>> {
    await this.sets.require(companyId, setId);
    const filters = [...filtersOf(listedItemView, { test_set_id: setId }), ...(query.filters ?? [])];
    return this.db.list<ListedTestSetItem>(listedItemView, companyId, { ...query, filters });
  }

  async find(companyId: number, setId: number, id: number): Promise<TestSetItem> {
    const item = JSON.parse((await this.get(companyId, id)).text) as TestSetItem;
    requireInSet(item, setId);
    return item;
  }

  async readIn(tx: Tx, id: number): Promise<JsonText<TestSetItem>> {
    const item = await tx.read<TestSetItem>(itemView, id);
    if (!item) throw notFound('test set item');
    return item;
  }

  /** At the end of a locked set; returns the records in order. */
  async add(
    tx: Tx,
    set: { id: number; item_count: number; next_position: number },
    items: readonly NewItem[],
    limit?: number,
  ): Promise<TestSetItemRecord[]> {
    if (items.length === 0) return [];
    requireCapacity(set.item_count, items.length, limit);
    const records = await tx.query<TestSetItemRecord>(INSERT_ITEMS, [
      tx.companyId,
      set.id,
      set.next_position,
      JSON.stringify(items.map(columnsOf)),
    ]);
    records.sort((a, b) => a.position - b.position);
    await this.sets.count(tx, set.id, { items: items.length, positions: items.length });
    set.item_count += items.length;
    set.next_position += items.length;
    tx.emitTogether(records.map((record) => emission(testEvents, 'test_set_item.added', record.id, record)));
    return records;
  }

  changeItem(caller: Caller, setId: number, id: number, rule: (row: ItemRow) => Decision<ItemRow>) {
    return this.change(caller, id, (row) => {
      requireInSet(row, setId);
      return rule(row);
    });
  }

  /** The set is locked first, as when items are added. */
  drop(caller: Caller, setId: number, id: number): Promise<Deleted> {
    return this.db.withCompany(caller, async (tx) => {
      await this.sets.lockItems(tx, setId);
      const { row, before } = await this.lock(tx, id);
      requireInSet(row, setId);
      await tx.query(DELETE_ITEM, [tx.companyId, id]);
      await this.sets.count(tx, setId, { items: -1, positions: 0 });
      tx.emit(emission(testEvents, 'test_set_item.deleted', id, { id }));
      tx.audit({
        action: 'delete',
        resource_type: 'test_set_item',
        resource_id: String(id),
        before: JSON.parse(before.text) as object,
        after: null,
      });
      return { id, deleted: true };
    });
  }

  /** A former override keeps its row. */
  override(
    caller: Caller,
    setId: number,
    id: number,
    { expected_output, note }: Pick<ResponseSub, 'expected_output' | 'note'>,
  ): Promise<JsonText<TestSetItem>> {
    return this.db.withCompany(caller, async (tx) => {
      const { row } = await this.lock(tx, id);
      requireInSet(row, setId);
      await this.retire(tx, row);
      const [sub] = await tx.query<{ id: number }>(INSERT_OVERRIDE, [
        tx.companyId,
        id,
        JSON.stringify(expected_output),
        note,
        caller.keyId,
      ]);
      return this.changeIn(tx, id, () => ({
        set: { response_sub_id: sub?.id ?? null },
        events: [emits('test_set_item.override_set')],
      }));
    });
  }

  removeOverride(caller: Caller, setId: number, id: number): Promise<Deleted> {
    return this.db.withCompany(caller, async (tx) => {
      const { row } = await this.lock(tx, id);
      requireInSet(row, setId);
      if (row.response_sub_id === null) throw notFound('response sub');
      await this.retire(tx, row);
      await this.changeIn(tx, id, () => ({
        set: { response_sub_id: null },
        events: [emits('test_set_item.override_removed')],
      }));
      return { id: row.response_sub_id, deleted: true };
    });
  }

  private async retire(tx: Tx, { response_sub_id }: ItemRow): Promise<void> {
    if (response_sub_id === null) return;
    await tx.query(RETIRE_OVERRIDE, [tx.companyId, response_sub_id]);
  }
}
