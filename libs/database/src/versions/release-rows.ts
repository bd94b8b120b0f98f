import { conflict, type GatePolicy, type GateResult } from '@signalbox/contracts';
import type { Database } from '../database.js';
import type { Tx } from '../tx.js';
import type { VersionTables } from './version-tables.js';

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
const ROW = 'SELECT l.id, l.name, l.version_id, l.is_default, l.gate_policy, l.mcp_enabled, v.version_number';

export class ReleaseRows {
  constructor(
    private readonly db: Database,
    private readonly tables: VersionTables<object>,
    private readonly parentColumn: string,
  ) {}

  /** 409 at the maximum number of releases (docs/api/README.md); the parent must be locked. */
  async requireCapacity(tx: Tx, parentId: number): Promise<void> {
    const [row] = await tx.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${this.tables.releases}
       WHERE company_id = $1 AND ${this.parentColumn} = $2 AND deleted_at IS NULL`,
      [tx.companyId, parentId],
    );
    if ((row?.count ?? 0) >= MAX_RELEASES) throw conflict(`there are at most ${MAX_RELEASES} releases`);
  }

  /** 409 at the maximum number of releases that are tools; concurrent writes may exceed it. */
  async requireToolCapacity(tx: Tx): Promise<void> {
    const [row] = await tx.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${this.tables.releases} WHERE company_id = $1 AND mcp_enabled AND deleted_at IS NULL`,
      [tx.companyId],
    );
    if ((row?.count ?? 0) >= MAX_MCP_RELEASES)
      throw conflict(`there are at most ${MAX_MCP_RELEASES} releases with mcp_enabled`);
  }

  /** 404 when the parent does not exist. */
  async find(companyId: number, parentId: number, name: string): Promise<ReleaseRow | undefined> {
    const { releases, versions, parents } = this.tables;
    const [row] = await this.db.select<ReleaseRow>(
      companyId,
      `SELECT r.* FROM s, LATERAL (${ROW} FROM ${releases} l
         JOIN ${versions} v ON v.company_id = l.company_id AND v.id = l.version_id
         JOIN ${parents} p ON p.company_id = l.company_id AND p.id = l.${this.parentColumn}
         WHERE l.company_id = s.company AND p.id = $2 AND l.name = $3 AND l.deleted_at IS NULL AND p.deleted_at IS NULL
         OFFSET 0) r`,
      [parentId, name],
    );
    if (!row) await this.tables.requireParent(companyId, parentId);
    return row;
  }

  /** What gates protect when releases of these names are written; in a transaction the parent must be locked. */
  async gated(read: Tx | number, parentId: number, names: readonly string[]): Promise<GatedNames> {
    const { releases } = this.tables;
    const sql = (company: string): string => `SELECT
      (SELECT l.name FROM ${releases} l WHERE l.company_id = ${company} AND l.${this.parentColumn} = $2 AND l.is_default
         AND l.deleted_at IS NULL AND l.gate_policy IS NOT NULL) AS gated_default,
      ARRAY(SELECT DISTINCT l.name FROM ${releases} l WHERE l.company_id = ${company} AND l.${this.parentColumn} = $2
         AND l.name = ANY ($3::text[]) AND l.deleted_at > $4 AND l.gate_policy IS NOT NULL) AS deleted`;
    const values = [parentId, names, Date.now() - KEPT_MS];
    const [found] =
      typeof read === 'number'
        ? await this.db.select<GatedNames>(read, `SELECT r.* FROM s, LATERAL (${sql('s.company')} OFFSET 0) r`, values)
        : await read.query<GatedNames>(sql('$1'), [read.companyId, ...values]);
    return found ?? { gated_default: null, deleted: [] };
  }

  async lock(tx: Tx, parentId: number, name: string): Promise<ReleaseRow | undefined> {
    const { releases, versions } = this.tables;
    const [row] = await tx.query<ReleaseRow>(
      `${ROW} FROM ${releases} l JOIN ${versions} v ON v.company_id = l.company_id AND v.id = l.version_id
       WHERE l.company_id = $1 AND l.${this.parentColumn} = $2 AND l.name = $3 AND l.deleted_at IS NULL
       FOR UPDATE OF l`,
      [tx.companyId, parentId, name],
    );
    return row;
  }

  async clearDefault(tx: Tx, parentId: number): Promise<void> {
    await tx.query(
      `UPDATE ${this.tables.releases} SET is_default = false
       WHERE company_id = $1 AND ${this.parentColumn} = $2 AND is_default`,
      [tx.companyId, parentId],
    );
  }

  async insert(tx: Tx, parentId: number, state: ReleaseState): Promise<number> {
    const [row] = await tx.query<{ id: number }>(
      `INSERT INTO ${this.tables.releases}
         (company_id, ${this.parentColumn}, name, version_id, is_default, gate_policy, moved_by_key_id, mcp_enabled)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`,
      [
        tx.companyId,
        parentId,
        state.name,
        state.version_id,
        state.is_default,
        jsonOf(state.gate_policy),
        keyOf(tx),
        state.mcp_enabled,
      ],
    );
    return row?.id ?? 0;
  }

  async update(tx: Tx, id: number, state: ReleaseState, moved: boolean): Promise<void> {
    await tx.query(
      `UPDATE ${this.tables.releases} SET version_id = $3, is_default = $4, gate_policy = $5, date_updated = $8, name = $9, mcp_enabled = $10,
         moved_by_key_id = CASE WHEN $6::boolean THEN $7 ELSE moved_by_key_id END,
         moved_at = CASE WHEN $6::boolean THEN $8 ELSE moved_at END
       WHERE company_id = $1 AND id = $2`,
      [
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
      ],
    );
  }

  async delete(tx: Tx, id: number): Promise<void> {
    await tx.query(
      `UPDATE ${this.tables.releases} SET deleted_at = $3, is_default = false WHERE company_id = $1 AND id = $2`,
      [tx.companyId, id, Date.now()],
    );
  }

  async requireLast(tx: Tx, parentId: number, id: number, name: string): Promise<void> {
    const others = await tx.query(
      `SELECT 1 FROM ${this.tables.releases}
       WHERE company_id = $1 AND ${this.parentColumn} = $2 AND deleted_at IS NULL AND id <> $3 LIMIT 1`,
      [tx.companyId, parentId, id],
    );
    if (others.length > 0) throw conflict(`release ${name} is the default while others exist`);
  }

  async addMove(tx: Tx, parentId: number, { id, name, from, to, judged, reason }: Move): Promise<void> {
    await tx.query(
      `INSERT INTO ${this.tables.moves}
         (company_id, ${this.parentColumn}, release_name, from_version, to_version, gate_result, override_reason, key_id, release_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [tx.companyId, parentId, name, from, to, jsonOf(judged), reason, keyOf(tx), id],
    );
  }
}
