import { notFound } from '@signalbox/contracts';
import type { Database } from '../database.js';
import type { Tx } from '../tx.js';
import type { FamilyNames } from './version-family.js';

export interface VersionRow<Snapshot = unknown> {
  id: number;
  version_number: string;
  /** The release through which the version was found. */
  release_name: string | null;
  snapshot: Snapshot;
}

/** `version` is a number or `latest`; `standing` is the target of standing traffic. */
export type Pointer = { version: string } | { release: string } | 'standing';

export class VersionTables<Snapshot extends object> {
  readonly versions: string;
  readonly releases: string;
  readonly moves: string;
  readonly parents: string;

  constructor(
    private readonly db: Database,
    private readonly family: FamilyNames,
  ) {
    const { prefix, parent } = family;
    this.versions = `"${db.schema}".${prefix}_versions`;
    this.releases = `"${db.schema}".${prefix}_releases`;
    this.moves = `"${db.schema}".${prefix}_release_moves`;
    this.parents = `"${db.schema}".${parent}`;
  }

  /** Serialises publishes and release moves of one parent; 404 when it does not exist. */
  async lockParent(tx: Tx, parentId: number): Promise<void> {
    const rows = await tx.query(
      `SELECT 1 FROM ${this.parents} WHERE company_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`,
      [tx.companyId, parentId],
    );
    if (rows.length === 0) this.missing(this.family.type);
  }

  async requireParent(companyId: number, parentId: number): Promise<void> {
    const rows = await this.db.select(
      companyId,
      `SELECT p.* FROM s, LATERAL (SELECT 1 FROM ${this.parents} t
         WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) p`,
      [parentId],
    );
    if (rows.length === 0) this.missing(this.family.type);
  }

  /** Null when the version does not exist; 404 when the parent does not. */
  async find(companyId: number, parentId: number, pointer: Pointer): Promise<VersionRow<Snapshot> | null> {
    const { joins, values } = this.pointedAt(pointer);
    const name = typeof pointer === 'object' && 'version' in pointer ? 'NULL::text' : 'l.name';
    const [row] = await this.db.select<VersionRow<Snapshot> | { id: null }>(
      companyId,
      `SELECT r.* FROM s, LATERAL (SELECT v.id, v.version_number, v.snapshot, ${name} AS release_name
         FROM ${this.parents} t ${joins}
         WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) r`,
      [parentId, ...values],
    );
    if (!row) return this.missing(this.family.type);
    return row.id === null ? null : row;
  }

  private pointedAt(pointer: Pointer): { joins: string; values: string[] } {
    const version = (which: string): string =>
      `LEFT JOIN ${this.versions} v ON v.company_id = t.company_id AND v.${this.family.parentColumn} = t.id AND ${which}`;
    const release = (which: string): string =>
      `LEFT JOIN ${this.releases} l ON l.company_id = t.company_id AND l.${this.family.parentColumn} = t.id
         AND l.deleted_at IS NULL AND ${which}`;
    if (pointer === 'standing') {
      const either = '(v.id = l.version_id OR (l.id IS NULL AND v.is_latest))';
      return { joins: `${release('l.is_default')} ${version(either)}`, values: [] };
    }
    if ('release' in pointer)
      return { joins: `${release('l.name = $3')} ${version('v.id = l.version_id')}`, values: [pointer.release] };
    if (pointer.version === 'latest') return { joins: version('v.is_latest'), values: [] };
    return { joins: version('v.version_number = $3'), values: [pointer.version] };
  }

  missing(what: string): never {
    throw notFound(what.replaceAll('_', ' '));
  }
}
