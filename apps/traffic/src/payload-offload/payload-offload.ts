import { Inject, Injectable } from '@nestjs/common';
import { JsonText, type Page, type RecordedRequest } from '@signalbox/contracts';
import { Database, ObjectDeletions, type Owner, PAGE_BYTES, pageTooLarge, type Tx } from '@signalbox/database';
import { ObjectStore } from '@signalbox/objects';
import { type Job, LOGGER, type Logger } from '@signalbox/platform';
import { excerptOf, hasMark, isLarge, isMarked, type Part, PARTS } from '../request-records/index.js';
import { type OffloadedPart, OffloadedObjects, type PartKeys, type PartRow } from './offloaded-objects.repository.js';
import { UNREFERENCED } from './offloaded-objects.sql.js';

const AT_ONCE = 50;
/** Rows of a page whose parts are read concurrently: this bounds the memory beyond what a page may have. */
const ROWS_AT_ONCE = 4;

/** Deletes references within the transaction; the objects are deleted after its commit. */
export type Release = (requestIds: readonly string[], part?: Part) => Promise<void>;

type RequestOrPage = RecordedRequest | Page<RecordedRequest>;

/** Large parts of requests: moved to the object store after the request is recorded, and restored when it is read. */
@Injectable()
export class PayloadOffload {
  private readonly deletions: ObjectDeletions;

  constructor(
    private readonly db: Database,
    private readonly names: OffloadedObjects,
    private readonly store: ObjectStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.deletions = new ObjectDeletions(db, UNREFERENCED);
  }

  /** Without an object store the parts stay in the row. */
  async move(job: Job): Promise<void> {
    const { companyId } = job;
    const since = await this.db.withCompany({ companyId }, (tx) => this.deletions.now(tx));
    const row = await this.names.parts(companyId, job.ref);
    const large = row === null ? [] : PARTS.filter((part) => isLarge(row[part] ?? ''));
    if (row === null || large.length === 0) return;
    const moved = await Promise.all(large.map((part) => this.stored(companyId, row, part)));
    const named = await this.db.withCompany({ companyId }, (tx) => this.name(tx, job, row.date_created, moved, since));
    // Objects of parts that were deleted or replaced meanwhile do not wait for the next sweep.
    const others = moved.map(({ key }) => key).filter((key) => !named.includes(key));
    await this.collect(companyId, others, (key) => this.store.delete(key));
  }

  private async stored(companyId: number, row: PartRow, part: Part): Promise<OffloadedPart> {
    const text = row[part] ?? 'null';
    return { part, key: await this.store.put(companyId, Buffer.from(text)), excerpt: excerptOf(text) };
  }

  /** Returns the keys of the replaced parts. A part that was changed meanwhile is moved by a separate job. */
  private async name(
    tx: Tx,
    job: Job,
    createdAt: string,
    moved: readonly OffloadedPart[],
    since: number,
  ): Promise<string[]> {
    const hashes = await this.names.lockHashes(tx, job);
    const same = moved.filter(({ part, key }) => hashes && key.endsWith(`/${hashes[part]}`));
    if (same.length === 0) return [];
    const keys = same.map(({ key }) => key);
    await this.deletions.requireKept(tx, keys, since);
    await this.names.name(tx, job.ref, createdAt, same);
    return keys;
  }

  /** Runs a transaction that deletes references; objects without references are deleted after it. */
  async releasing<T>(owner: Owner, work: (tx: Tx, release: Release) => Promise<T>): Promise<T> {
    let keys: string[] = [];
    const result = await this.db.withCompany(owner, (tx) => {
      keys = [];
      return work(tx, async (ids, part) => void keys.push(...(await this.names.release(tx, ids, part))));
    });
    try {
      await this.collect(owner.companyId, keys, (key) => this.store.delete(key));
    } catch (error) {
      this.logger.warn({ error, company_id: owner.companyId }, 'objects of deleted requests wait for the next sweep');
    }
    return result;
  }

  /** Returns the number of deleted objects: those that were written before `before` and have no reference. */
  async collectOld(companyId: number, keys: readonly string[], before: number): Promise<number> {
    await this.names.forgetDropped(companyId, keys);
    let deleted = 0;
    await this.collect(companyId, keys, async (key) => {
      if (await this.store.deleteOlder(key, before)) deleted++;
    });
    return deleted;
  }

  private async collect(companyId: number, keys: readonly string[], remove: (key: string) => Promise<void>) {
    for (let at = 0; at < keys.length; at += AT_ONCE)
      await this.deletions.delete(companyId, keys.slice(at, at + AT_ONCE), remove);
  }

  /** Restores offloaded parts; 400 for a page that becomes too large with them. */
  async whole<T extends RequestOrPage>(companyId: number, found: JsonText<T>): Promise<JsonText<T>> {
    if (!hasMark(found.text)) return found;
    const value = JSON.parse(found.text) as T;
    const rows: RecordedRequest[] = 'data' in value ? value.data : [value];
    const short = rows.filter((row) => PARTS.some((part) => isMarked(row[part])));
    const keys = await this.names.keysOf(
      companyId,
      short.map(({ request_id }) => request_id),
    );
    let bytes = found.text.length;
    for (let at = 0; at < short.length; at += ROWS_AT_ONCE) {
      const group = short.slice(at, at + ROWS_AT_ONCE);
      await Promise.all(group.map((row) => this.fill(row, keys.get(row.request_id) ?? {})));
      for (const row of group) bytes += Buffer.byteLength(JSON.stringify(row));
      if (rows.length > 1 && bytes > PAGE_BYTES) throw pageTooLarge();
    }
    return new JsonText(JSON.stringify(value));
  }

  async fill<Row extends object>(row: Row, keys: PartKeys): Promise<Row> {
    const parts: Partial<Record<Part, unknown>> = row;
    const bringBack = async (part: Part): Promise<void> => {
      const key = keys[part];
      if (key === undefined || !isMarked(parts[part])) return;
      const bytes = await this.store.get(key);
      if (bytes) parts[part] = JSON.parse(bytes.toString());
      else this.logger.error({ key }, 'an object that a request references is missing');
    };
    await Promise.all(PARTS.map(bringBack));
    return row;
  }
}
