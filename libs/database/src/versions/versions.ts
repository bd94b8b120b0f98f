import type { Caller, Increment, JsonText, ListQuery, Page, VersionDiff } from '@signalbox/contracts';
import type { Database } from '../database.js';
import type { Tx } from '../tx.js';
import { isHigherVersion, nextVersion } from './next-version.js';
import { diffSnapshots } from './snapshot-diff.js';
import type { VersionedFamily } from './version-family.js';
import { type VersionRow, VersionRows } from './version-rows.js';
import type { View } from '../view.js';

/** A null version is the draft. */
export interface ResolvedTarget<Snapshot> {
  version: string | null;
  release: string | null;
  snapshot: Snapshot;
}

const targetOf = <Snapshot>(row: VersionRow<Snapshot>): ResolvedTarget<Snapshot> => ({
  version: row.version_number,
  release: row.release_name,
  snapshot: row.snapshot,
});

const SEMVER = /^\d+\.\d+\.\d+$/;

/** Immutable versions of one family (docs/api/versions-and-releases.md). */
export class Versions<Snapshot extends object, Version extends object, Resource extends object> {
  private readonly sql = this.family.sql.versions;
  private readonly rows: VersionRows<Snapshot>;
  private readonly summary: View;

  constructor(
    private readonly db: Database,
    private readonly family: VersionedFamily<Snapshot, Resource>,
  ) {
    this.rows = new VersionRows(db, family);
    this.summary = { ...family.versionView, detail: {} };
  }

  /** Concurrent publishes wait for the lock of the parent. */
  publish(caller: Caller, parentId: number, increment: Increment, notes: string): Promise<JsonText<Version>> {
    return this.db.withCompany(caller, (tx) => this.publishIn(tx, parentId, increment, notes));
  }

  async publishIn(tx: Tx, parentId: number, increment: Increment, notes: string): Promise<JsonText<Version>> {
    const { family, rows } = this;
    await rows.lockParent(tx, parentId);
    const snapshot = await family.freeze(tx, parentId);
    const version = nextVersion(await this.clearLatest(tx, parentId), increment);
    const id = await this.insert(tx, parentId, { version, notes, isLatest: true, snapshot });
    return (await tx.read<Version>(this.summary, id)) ?? rows.missing('version');
  }

  /** Adds a version under a number assigned elsewhere; null when it exists. The highest number becomes the latest. */
  protected async addNumbered(
    tx: Tx,
    parentId: number,
    version: string,
    notes: string,
  ): Promise<JsonText<Version> | null> {
    const { family, rows } = this;
    await rows.lockParent(tx, parentId);
    const known = await tx.query<{ version_number: string; is_latest: boolean }>(this.sql.findKnown, [
      tx.companyId,
      parentId,
      version,
    ]);
    if (known.some(({ version_number }) => version_number === version)) return null;
    const latest = known.find(({ is_latest }) => is_latest)?.version_number;
    const isLatest = latest === undefined || isHigherVersion(version, latest);
    if (isLatest) await this.clearLatest(tx, parentId);
    const snapshot = await family.freeze(tx, parentId);
    const id = await this.insert(tx, parentId, { version, notes, isLatest, snapshot });
    return (await tx.read<Version>(this.summary, id)) ?? rows.missing('version');
  }

  private async insert(
    tx: Tx,
    parentId: number,
    { version, notes, isLatest, snapshot }: { version: string; notes: string; isLatest: boolean; snapshot: Snapshot },
  ): Promise<number> {
    const { family } = this;
    const [made] = await tx.query<{ id: number }>(this.sql.insert, [
      tx.companyId,
      parentId,
      version,
      isLatest,
      notes,
      JSON.stringify(snapshot),
    ]);
    const id = made?.id ?? 0;
    await family.recordPublished?.(tx, parentId);
    const data = { id, version, notes };
    tx.emit(family.published(parentId, data));
    tx.audit({ action: 'publish', resource_type: family.type, resource_id: String(parentId), after: data });
    return id;
  }

  private async clearLatest(tx: Tx, parentId: number): Promise<string | null> {
    const [former] = await tx.query<{ version_number: string }>(this.sql.clearLatest, [tx.companyId, parentId]);
    return former?.version_number ?? null;
  }

  async list(companyId: number, parentId: number, query: ListQuery): Promise<JsonText<Page<Version>>> {
    await this.rows.requireParent(companyId, parentId);
    const filters = [{ sql: `t.${this.family.parentColumn} = ?`, value: parentId }];
    return this.db.list<Version>(this.summary, companyId, { ...query, filters });
  }

  async get(companyId: number, parentId: number, version: string, full: boolean): Promise<JsonText<Version>> {
    const row = await this.rows.find(companyId, parentId, { version });
    const view = full ? this.family.versionView : this.summary;
    return (row && (await this.db.readOne<Version>(view, companyId, row.id))) ?? this.rows.missing('version');
  }

  /** The given version or release, else the draft (docs/api/versions-and-releases.md). */
  async resolve(
    companyId: number,
    parentId: number,
    { version, release }: { version?: string | undefined; release?: string | undefined },
  ): Promise<ResolvedTarget<Snapshot>> {
    if (version === undefined && release === undefined) return this.draft(companyId, parentId);
    const pointer = version === undefined ? { release: release ?? '' } : { version };
    const row = await this.rows.find(companyId, parentId, pointer);
    if (!row) return this.rows.missing(version === undefined ? 'release' : 'version');
    return targetOf(row);
  }

  /**
   * The target of standing traffic, which names no version: the default release, else the latest version, else null.
   */
  async resolveStanding(companyId: number, parentId: number): Promise<ResolvedTarget<Snapshot> | null> {
    const row = await this.rows.find(companyId, parentId, 'standing');
    return row && targetOf(row);
  }

  async draft(companyId: number, parentId: number): Promise<ResolvedTarget<Snapshot>> {
    const snapshot = await this.family.draft(companyId, parentId);
    return { version: null, release: null, snapshot: snapshot ?? this.rows.missing(this.family.type) };
  }

  async diff(companyId: number, parentId: number, from: string, to: string): Promise<VersionDiff> {
    const left = await this.point(companyId, parentId, from);
    const right = await this.point(companyId, parentId, to);
    const { comparable = (...both) => both, parts = {} } = this.family;
    const compared = diffSnapshots(...comparable(left.snapshot, right.snapshot), parts);
    return { from_version: left.version, to_version: right.version, ...compared };
  }

  private point(companyId: number, parentId: number, word: string): Promise<ResolvedTarget<Snapshot>> {
    if (word === 'draft') return this.draft(companyId, parentId);
    const named = word === 'latest' || SEMVER.test(word);
    return this.resolve(companyId, parentId, named ? { version: word } : { release: word });
  }

  async restore(caller: Caller, parentId: number, version: string): Promise<JsonText<Resource>> {
    const row = await this.rows.find(caller.companyId, parentId, { version });
    if (!row) return this.rows.missing('version');
    return this.db.withCompany(
      caller,
      async (tx) => {
        await this.rows.lockParent(tx, parentId);
        return this.family.restore(tx, parentId, row.snapshot);
      },
      this.family.uniqueViolations,
    );
  }
}
