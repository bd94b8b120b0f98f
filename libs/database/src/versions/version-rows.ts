import { notFound } from '@signalbox/contracts';
import type { Database } from '../database.js';
import type { Statement } from '../statement.js';
import type { Tx } from '../tx.js';
import type { Family } from './version-family.js';

export interface VersionRow<Snapshot = unknown> {
  id: number;
  version_number: string;
  /** The release through which the version was found. */
  release_name: string | null;
  snapshot: Snapshot;
}

/** `version` is a number or `latest`; `standing` is the target of standing traffic. */
export type Pointer = { version: string } | { release: string } | 'standing';

export class VersionRows<Snapshot extends object> {
  private readonly sql = this.family.sql.versions;

  constructor(
    private readonly db: Database,
    private readonly family: Pick<Family, 'type' | 'sql'>,
  ) {}

  /** Serialises publishes and release moves of one parent; 404 when it does not exist. */
  async lockParent(tx: Tx, parentId: number): Promise<void> {
    const rows = await tx.query(this.sql.lockParent, [tx.companyId, parentId]);
    if (rows.length === 0) this.missing(this.family.type);
  }

  async requireParent(companyId: number, parentId: number): Promise<void> {
    const rows = await this.db.select(companyId, this.sql.findParent, [parentId]);
    if (rows.length === 0) this.missing(this.family.type);
  }

  /** Null when the version does not exist; 404 when the parent does not. */
  async find(companyId: number, parentId: number, pointer: Pointer): Promise<VersionRow<Snapshot> | null> {
    const { statement, values } = this.pointedAt(pointer);
    const [row] = await this.db.select<VersionRow<Snapshot> | { id: null }>(companyId, statement, [
      parentId,
      ...values,
    ]);
    if (!row) return this.missing(this.family.type);
    return row.id === null ? null : row;
  }

  private pointedAt(pointer: Pointer): { statement: Statement<'read'>; values: string[] } {
    const { find } = this.sql;
    if (pointer === 'standing') return { statement: find.standing, values: [] };
    if ('release' in pointer) return { statement: find.released, values: [pointer.release] };
    if (pointer.version === 'latest') return { statement: find.latest, values: [] };
    return { statement: find.numbered, values: [pointer.version] };
  }

  missing(what: string): never {
    throw notFound(what.replaceAll('_', ' '));
  }
}
