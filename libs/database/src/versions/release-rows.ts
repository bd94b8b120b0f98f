import { conflict, type GatePolicy, type GateResult } from '@signalbox/contracts';
import type { Database } from '../database.js';
import { requireFewer } from '../require-fewer.js';
import type { Tx } from '../tx.js';
import type { releaseStatements } from './releases.sql.js';
import type { VersionRows } from './version-rows.js';

export interface ReleaseRow {
  id: number;
  name: string;
  version_id: number;
  version_number: string;
  is_default: boolean;
  gate_policy: GatePolicy | null;
  mcp_enabled: boolean;
}

export interface ReleaseState {
  name: string;
  version_id: number;
  is_default: boolean;
  gate_policy: GatePolicy | null;
  mcp_enabled: boolean;
}

export interface Move {
  /** Identifies the release, whose name may change. */
  id: number;
  name: string;
  from: string | null;
  to: string;
  judged: GateResult | null;
  reason: string | null;
}

const MAX_RELEASES = 1000;
/** Per company: each is a tool in the list that MCP clients read. */
export const MAX_MCP_RELEASES = 100;
/** How long the name of a deleted release with a gate stays reserved. */
const KEPT_MS = 30 * 86_400_000;

export interface GatedNames {
  /** Null when the default release has no gate. */
  gated_default: string | null;
  /** Recently deleted releases with a gate, among the names asked for. */
  deleted: string[];
}

const jsonOf = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));
const keyOf = (tx: Tx): number | null => ('keyId' in tx.owner ? tx.owner.keyId : null);

export class ReleaseRows {
  constructor(
    private readonly db: Database,
    private readonly versions: VersionRows<object>,
    private readonly sql: ReturnType<typeof releaseStatements>,
  ) {}

  /** 409 at the maximum number of releases (docs/api/README.md); the parent must be locked. */
  async requireCapacity(tx: Tx, parentId: number): Promise<void> {
    const message = `there are at most ${MAX_RELEASES} releases`;
    await requireFewer(tx, MAX_RELEASES, { sql: this.sql.count, values: [parentId], message });
  }

  /** 409 at the maximum number of releases that are tools; concurrent writes may exceed it. */
  async requireToolCapacity(tx: Tx): Promise<void> {
    const message = `there are at most ${MAX_MCP_RELEASES} releases with mcp_enabled`;
    await requireFewer(tx, MAX_MCP_RELEASES, { sql: this.sql.countTools, values: [], message });
  }

  /** 404 when the parent does not exist. */
  async find(companyId: number, parentId: number, name: string): Promise<ReleaseRow | undefined> {
    const [row] = await this.db.select<ReleaseRow>(companyId, this.sql.find, [parentId, name]);
    if (!row) await this.versions.requireParent(companyId, parentId);
    return row;
  }

  /** What gates protect when releases of these names are written; in a transaction the parent must be locked. */
  async gated(read: Tx | number, parentId: number, names: readonly string[]): Promise<GatedNames> {
    const values = [parentId, names, Date.now() - KEPT_MS];
    const [found] =
      typeof read === 'number'
        ? await this.db.select<GatedNames>(read, this.sql.readGated, values)
        : await read.query<GatedNames>(this.sql.findGated, [read.companyId, ...values]);
    return found ?? { gated_default: null, deleted: [] };
  }

  async lock(tx: Tx, parentId: number, name: string): Promise<ReleaseRow | undefined> {
    const [row] = await tx.query<ReleaseRow>(this.sql.lock, [tx.companyId, parentId, name]);
    return row;
  }

  async clearDefault(tx: Tx, parentId: number): Promise<void> {
    await tx.query(this.sql.clearDefault, [tx.companyId, parentId]);
  }

  async insert(tx: Tx, parentId: number, state: ReleaseState): Promise<number> {
    const [row] = await tx.query<{ id: number }>(this.sql.insert, [
      tx.companyId,
      parentId,
      state.name,
      state.version_id,
      state.is_default,
      jsonOf(state.gate_policy),
      keyOf(tx),
      state.mcp_enabled,
    ]);
    return row?.id ?? 0;
  }

  async update(tx: Tx, id: number, state: ReleaseState, moved: boolean): Promise<void> {
    await tx.query(this.sql.update, [
      tx.companyId,
      id,
      state.version_id,
      state.is_default,
      jsonOf(state.gate_policy),
      moved,
      keyOf(tx),
      Date.now(),
      state.name,
      state.mcp_enabled,
    ]);
  }

  async delete(tx: Tx, id: number): Promise<void> {
    await tx.query(this.sql.delete, [tx.companyId, id, Date.now()]);
  }

  async requireLast(tx: Tx, parentId: number, id: number, name: string): Promise<void> {
    const others = await tx.query(this.sql.findOther, [tx.companyId, parentId, id]);
    if (others.length > 0) throw conflict(`release ${name} is the default while others exist`);
  }

  async addMove(tx: Tx, parentId: number, { id, name, from, to, judged, reason }: Move): Promise<void> {
    await tx.query(this.sql.addMove, [tx.companyId, parentId, name, from, to, jsonOf(judged), reason, keyOf(tx), id]);
  }
}
