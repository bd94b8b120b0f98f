import { Injectable } from '@nestjs/common';
import type { Caller, JsonText, TestSetItem } from '@signalbox/contracts';
import { Database, LookupBatcher, type Tx } from '@signalbox/database';
import { baselineHash, itemView, type NewItem, TestSetItems } from '../items/index.js';
import { MAX_ITEMS, requireCapacity, TestSets } from '../sets/index.js';
import type { ImportedContent } from './import-source.js';
import type { Source } from './import-sources.js';
import { ITEM_OF_SOURCE, SOURCES_OF_LOCKED_SET, SOURCES_OF_SET } from './imports.sql.js';

export interface ReadSource {
  source: Source;
  content: ImportedContent;
  meta?: Record<string, unknown>;
}

export const keyOf = ({ source_type, source_id }: Pick<Source, 'source_type' | 'source_id'>): string =>
  `${source_type} ${source_id}`;

const itemOf = ({ source, content, meta = {} }: ReadSource): NewItem => ({
  ...content,
  source_type: source.source_type,
  source_id: source.source_id,
  flatten_variant: source.source_type === 'AGENT_TASK' ? (source.flatten_variant ?? 'agent_first_user_message') : null,
  baseline_hash: baselineHash(content.input, content.expected_output),
  meta,
});

/** Per statement. */
const BATCH_BYTES = 4_194_304;

const SOURCE_KEY = [
  { column: 'test_set_id', type: 'int' },
  { column: 'source_type', type: 'text' },
  { column: 'source_id', type: 'text' },
] as const;

/**
 * One item per set and source.
 *
 * SQL: an item is found by its source, and many sources are compared with the items of a set at once.
 */
@Injectable()
export class Imports {
  private readonly bySource = new LookupBatcher<TestSetItem>(this.db, itemView, SOURCE_KEY);

  constructor(
    private readonly db: Database,
    private readonly sets: TestSets,
    private readonly items: TestSetItems,
  ) {}

  find(companyId: number, setId: number, { source_type, source_id }: Source): Promise<JsonText<TestSetItem> | null> {
    return this.bySource.find(companyId, setId, source_type, source_id);
  }

  async existing(companyId: number, setId: number, sources: readonly Source[]): Promise<Set<string>> {
    const rows = await this.db.select<Pick<Source, 'source_type' | 'source_id'>>(companyId, SOURCES_OF_SET, [
      setId,
      sources.map(({ source_id }) => source_id),
    ]);
    return new Set(rows.map(keyOf));
  }

  /** Concurrent imports of a source leave one item, which both calls return. */
  add(caller: Caller, setId: number, read: ReadSource): Promise<{ item: TestSetItem; created: boolean }> {
    return this.db.withCompany(caller, async (tx) => {
      const set = await this.sets.lockItems(tx, setId);
      const known = await this.idOf(tx, setId, read.source);
      if (known !== null) return { item: await this.read(tx, known), created: false };
      const [record] = await this.items.add(tx, set, [itemOf(read)]);
      const item = await this.read(tx, record?.id ?? 0);
      tx.audit({
        action: 'import',
        resource_type: 'test_set_item',
        resource_id: String(item.id),
        before: null,
        after: item,
      });
      return { item, created: true };
    });
  }

  /**
   * `reply` is told how many were new, and the sources for which the set had no capacity. The idempotency record keeps
   * what it returns.
   */
  addAll<T>(
    caller: Caller,
    setId: number,
    { reads, need }: { reads: readonly ReadSource[]; need: 'all' | 'some' },
    reply: (added: { created: number; left: Source[] }) => T,
  ): Promise<T> {
    return this.db.withCompany(caller, async (tx) => {
      const set = await this.sets.lockItems(tx, setId);
      const rows = await tx.query<Pick<Source, 'source_type' | 'source_id'>>(SOURCES_OF_LOCKED_SET, [
        tx.companyId,
        setId,
        reads.map(({ source }) => source.source_id),
      ]);
      const known = new Set(rows.map(keyOf));
      const fresh = reads.filter(({ source }) => !known.has(keyOf(source)));
      if (need === 'all') requireCapacity(set.item_count, fresh.length);
      const fitting = fresh.slice(0, Math.max(0, MAX_ITEMS - set.item_count));
      for (const batch of batchesOf(fitting.map(itemOf))) await this.items.add(tx, set, batch);
      const created = fitting.length;
      if (created > 0)
        tx.audit({
          action: 'import',
          resource_type: 'test_set',
          resource_id: String(setId),
          before: null,
          after: { created, sources: fitting.map(({ source }) => keyOf(source)) },
        });
      return reply({ created, left: fresh.slice(fitting.length).map(({ source }) => source) });
    });
  }

  private async idOf(tx: Tx, setId: number, { source_type, source_id }: Source): Promise<number | null> {
    const [row] = await tx.query<{ id: number }>(ITEM_OF_SOURCE, [tx.companyId, setId, source_type, source_id]);
    return row?.id ?? null;
  }

  private async read(tx: Tx, id: number): Promise<TestSetItem> {
    return JSON.parse((await this.items.readIn(tx, id)).text) as TestSetItem;
  }
}

export function* batchesOf<Item extends Pick<NewItem, 'input' | 'expected_output'>>(
  items: Iterable<Item>,
): Generator<Item[]> {
  let batch: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = JSON.stringify(item).length;
    if (batch.length > 0 && bytes + size > BATCH_BYTES) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
