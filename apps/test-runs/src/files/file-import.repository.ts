import { Injectable } from '@nestjs/common';
import {
  ApiError,
  type Caller,
  type FileError,
  type FileImport,
  type TestSetFileRow,
  type Upload,
} from '@signalbox/contracts';
import { Database, type Tx, Uploads } from '@signalbox/database';
import { bodyBytes, type FileSource, type NewItem, TestSetItems } from '../items/index.js';
import { MAX_ITEMS_OF_FILES, TestSets } from '../sets/index.js';
import { csvRows, type FileRow, jsonlRows } from './file-rows.js';
import { OVERRIDE_ITEMS, SOURCES_OF_SET } from './file-import.sql.js';

const MAX_ERRORS = 100;
const BATCH = { rows: 500, chars: 4_194_304 };

interface Counted {
  id: number;
  item_count: number;
  next_position: number;
}

/** SQL: overrides are written in bulk, and rows are compared with the items of the set by their sources. */
@Injectable()
export class FileImports {
  constructor(
    private readonly db: Database,
    private readonly uploads: Uploads,
    private readonly sets: TestSets,
    private readonly items: TestSetItems,
  ) {}

  run(caller: Caller, setId: number, upload: Upload): Promise<FileImport> {
    return this.db.withCompany(caller, async (tx) => {
      const set = await this.sets.lockItems(tx, setId);
      const texts = this.uploads.texts(tx, upload);
      const rows = upload.media_type === 'text/csv' ? csvRows(texts) : jsonlRows(texts);
      const outcome = await new FileInProgress(tx, this.items, set).read(rows);
      await this.uploads.remove(tx, upload);
      if (outcome.created > 0)
        tx.audit({
          action: 'import',
          resource_type: 'test_set',
          resource_id: String(setId),
          before: null,
          after: { created: outcome.created, file_sha256: upload.sha256 },
        });
      return outcome;
    });
  }
}

class FileInProgress {
  private readonly outcome: FileImport = { created: 0, skipped: 0, errors: [] };
  private batch: { line: number; item: NewItem }[] = [];
  private chars = 0;

  constructor(
    private readonly tx: Tx,
    private readonly items: TestSetItems,
    private readonly set: Counted,
  ) {}

  async read(rows: AsyncIterable<FileRow>): Promise<FileImport> {
    for await (const each of rows) {
      if ('problem' in each) this.fail(each.line, each.problem);
      else this.collect(each.line, each.row);
      if (this.batch.length >= BATCH.rows || this.chars >= BATCH.chars) await this.write();
    }
    await this.write();
    return this.outcome;
  }

  private fail(line: number, message: string): void {
    const error: FileError = { line, message };
    if (this.outcome.errors.length < MAX_ERRORS) this.outcome.errors.push(error);
  }

  private collect(line: number, row: TestSetFileRow): void {
    try {
      const item = itemOf(row);
      this.chars += bodyBytes(item.input, item.expected_output);
      this.batch.push({ line, item });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.fail(line, error.message);
    }
  }

  private async write(): Promise<void> {
    const { batch } = this;
    this.batch = [];
    this.chars = 0;
    const known = await this.sourcesIn(batch.map(({ item }) => item));
    const fresh = batch.filter(({ item }) => isNew(item, known));
    this.outcome.skipped += batch.length - fresh.length;
    const room = Math.max(0, MAX_ITEMS_OF_FILES - this.set.item_count);
    for (const { line } of fresh.slice(room))
      this.fail(line, `the test set can hold at most ${MAX_ITEMS_OF_FILES} items`);
    const added = fresh.slice(0, room).map(({ item }) => item);
    const records = await this.items.add(this.tx, this.set, added, MAX_ITEMS_OF_FILES);
    await this.override(
      records.map(({ id }) => id),
      added,
    );
    this.outcome.created += added.length;
  }

  private async sourcesIn(items: readonly NewItem[]): Promise<Set<string>> {
    const ids = items.flatMap(({ file_source }) => file_source?.source_id ?? []);
    if (ids.length === 0) return new Set();
    const rows = await this.tx.query<FileSource>(SOURCES_OF_SET, [this.tx.companyId, this.set.id, ids]);
    return new Set(rows.map(sourceOf));
  }

  private async override(ids: readonly number[], items: readonly NewItem[]): Promise<void> {
    const subs = items.flatMap(({ response_sub }, at) => (response_sub ? [{ item_id: ids[at], ...response_sub }] : []));
    if (subs.length === 0) return;
    const { tx } = this;
    const author = 'keyId' in tx.owner ? tx.owner.keyId : null;
    await tx.query(OVERRIDE_ITEMS, [tx.companyId, JSON.stringify(subs), author]);
  }
}

const sourceOf = ({ source_type, source_id }: FileSource): string => `${source_type} ${source_id}`;

/** Remembers the source as well. */
function isNew(item: NewItem, known: Set<string>): boolean {
  if (!item.file_source) return true;
  const source = sourceOf(item.file_source);
  if (known.has(source)) return false;
  known.add(source);
  return true;
}

/** A file can name any source, so the item counts as manual; the source tells new rows from existing ones. */
function itemOf(row: TestSetFileRow): NewItem {
  const { input, expected_output = null, source_type = 'MANUAL', source_id = null, response_sub } = row;
  const flatten_variant = source_type === 'AGENT_TASK' ? (row.flatten_variant ?? null) : null;
  return {
    input,
    expected_output,
    source_type: 'MANUAL',
    source_id: null,
    file_source: source_id === null ? null : { source_type, source_id, flatten_variant },
    meta: row.meta ?? {},
    response_sub: response_sub
      ? { expected_output: response_sub.expected_output, note: response_sub.note ?? null }
      : null,
  };
}
