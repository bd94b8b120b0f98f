import {
  ApiError,
  type Caller,
  conflict,
  type Deleted,
  type GatePolicy,
  type GateResult,
  type JsonText,
  type ListQuery,
  type Page,
  type Release,
  type ReleaseMove,
} from '@signalbox/contracts';
import type { Database, Tx } from './database.js';
import { moveView, releaseView } from './release-views.js';
import { sameJson } from './snapshot-diff.js';
import type { FamilyNames, Gate } from './version-family.js';
import { type VersionRow, VersionTables } from './version-tables.js';

/** What a caller wishes for a release. */
export interface ReleaseWish {
  version?: string;
  is_default?: boolean;
  gate_policy?: GatePolicy | null;
  override_reason?: string;
}

interface ReleaseRow {
  id: number;
  version_id: number;
  version_number: string;
  is_default: boolean;
  gate_policy: GatePolicy | null;
}

/** One write of a release, gathered before its transaction. */
interface Order {
  caller: Caller;
  parentId: number;
  name: string;
  wish: ReleaseWish;
  /** True for a create, which finds the name free; an update finds it taken. */
  fresh: boolean;
  /** The version to point at, null to leave it. */
  target: VersionRow | null;
}

const policyAfter = (current: ReleaseRow | undefined, wish: ReleaseWish): GatePolicy | null =>
  wish.gate_policy === undefined ? (current?.gate_policy ?? null) : wish.gate_policy;

/** Named releases of one family (api.md 1.14): pointers to versions that a gate may guard. */
export class Releases {
  private readonly tables: VersionTables<object>;

  constructor(
    private readonly db: Database,
    private readonly family: FamilyNames,
    private readonly gate: Gate,
  ) {
    this.tables = new VersionTables(db, family);
  }

  async list(companyId: number, parentId: number, query: ListQuery): Promise<JsonText<Page<Release>>> {
    await this.tables.requireParent(companyId, parentId);
    const filters = [{ sql: `t.${this.family.parentColumn} = ?`, value: parentId }];
    return this.db.list(releaseView(this.tables), companyId, { ...query, filters });
  }

  async get(companyId: number, parentId: number, name: string): Promise<JsonText<Release>> {
    const row = await this.find(companyId, parentId, name);
    const release = row && (await this.db.readOne<Release>(releaseView(this.tables), companyId, row.id));
    return release ?? this.tables.missing('release');
  }

  /** The moves of a living release, newest first unless asked otherwise. */
  async listMoves(
    companyId: number,
    parentId: number,
    name: string,
    query: ListQuery,
  ): Promise<JsonText<Page<ReleaseMove>>> {
    if (!(await this.find(companyId, parentId, name))) this.tables.missing('release');
    const filters = [
      { sql: `t.${this.family.parentColumn} = ?`, value: parentId },
      { sql: `t.release_name = ?`, value: name },
    ];
    return this.db.list(moveView(this.tables), companyId, { ...query, filters });
  }

  create(caller: Caller, parentId: number, name: string, wish: ReleaseWish): Promise<JsonText<Release>> {
    return this.write(caller, parentId, name, wish, true);
  }

  /** Moves or changes a release; the gate has to agree before it points elsewhere. */
  update(caller: Caller, parentId: number, name: string, wish: ReleaseWish): Promise<JsonText<Release>> {
    return this.write(caller, parentId, name, wish, false);
  }

  private async write(caller: Caller, parentId: number, name: string, wish: ReleaseWish, fresh: boolean) {
    const { companyId } = caller;
    const target =
      wish.version === undefined ? null : await this.tables.find(companyId, parentId, { version: wish.version });
    if (wish.version !== undefined && !target) this.tables.missing('version');
    const order = { caller, parentId, name, wish, fresh, target };
    const seen = await this.find(companyId, parentId, name);
    this.check(order, seen);
    // The gate asks another service: no lock and no connection may be held while it thinks.
    const policy = policyAfter(seen, wish);
    const judged = await this.judge(order, policy);
    return this.db.withCompany(caller, async (tx) => {
      await this.tables.lockParent(tx, parentId);
      const current = await this.lock(tx, parentId, name);
      this.check(order, current);
      if (target && !sameJson(policyAfter(current, wish), policy))
        throw conflict(`the gate policy of release ${name} was changed meanwhile`);
      return this.apply(tx, order, current, policyAfter(current, wish), judged);
    });
  }

  private check({ caller, name, wish, fresh }: Order, current: ReleaseRow | undefined): void {
    if (fresh && current) throw conflict(`release ${name} exists already`);
    if (!fresh && !current) this.tables.missing('release');
    requireAdmin(caller, current, wish);
  }

  private async judge(
    { caller, parentId, wish, target }: Order,
    policy: GatePolicy | null,
  ): Promise<GateResult | null> {
    if (!policy || !target) return null;
    const { passed, unmet, test_run_id } = await this.gate(caller, parentId, target.version_number, policy);
    if (!passed && wish.override_reason === undefined)
      throw conflict(`release gate: ${unmet[0]?.message ?? 'not passed'}`, unmet);
    return { passed, reasons: unmet.map(({ message }) => message), ...(test_run_id ? { test_run_id } : {}) };
  }

  private async apply(
    tx: Tx,
    order: Order,
    current: ReleaseRow | undefined,
    policy: GatePolicy | null,
    judged: GateResult | null,
  ): Promise<JsonText<Release>> {
    const { parentId, name, wish, target } = order;
    const moved = target !== null && target.version_number !== current?.version_number;
    if (wish.is_default) await this.clearDefault(tx, parentId);
    const versionId = target?.id ?? current?.version_id ?? 0;
    const id = current
      ? await this.change(tx, current.id, versionId, wish, policy, moved)
      : await this.insert(tx, order, versionId, policy);
    if (target && moved) await this.recordMove(tx, order, target, current, judged);
    else this.note(tx, parentId, { action: 'update', after: { release_name: name, ...wish } });
    return (await tx.read<Release>(releaseView(this.tables), id)) ?? this.tables.missing('release');
  }

  private async clearDefault(tx: Tx, parentId: number): Promise<void> {
    await tx.query(
      `UPDATE ${this.tables.releases} SET is_default = false
       WHERE company_id = $1 AND ${this.family.parentColumn} = $2 AND is_default`,
      [tx.companyId, parentId],
    );
  }

  private async insert(tx: Tx, order: Order, versionId: number, policy: GatePolicy | null): Promise<number> {
    const { parentId, name, wish } = order;
    const [row] = await tx.query<{ id: number }>(
      `INSERT INTO ${this.tables.releases}
         (company_id, ${this.family.parentColumn}, name, version_id, is_default, gate_policy, moved_by_key_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
      [tx.companyId, parentId, name, versionId, wish.is_default ?? false, jsonOf(policy), keyOf(tx)],
    );
    return row?.id ?? 0;
  }

  private async change(
    tx: Tx,
    id: number,
    versionId: number,
    wish: ReleaseWish,
    policy: GatePolicy | null,
    moved: boolean,
  ): Promise<number> {
    await tx.query(
      `UPDATE ${this.tables.releases} SET version_id = $3, is_default = COALESCE($4, is_default), gate_policy = $5,
         moved_by_key_id = CASE WHEN $6::boolean THEN $7 ELSE moved_by_key_id END,
         moved_at = CASE WHEN $6::boolean THEN $8 ELSE moved_at END, date_updated = $8
       WHERE company_id = $1 AND id = $2`,
      [tx.companyId, id, versionId, wish.is_default ?? null, jsonOf(policy), moved, keyOf(tx), Date.now()],
    );
    return id;
  }

  private async recordMove(
    tx: Tx,
    { parentId, name, wish }: Order,
    target: VersionRow,
    current: ReleaseRow | undefined,
    judged: GateResult | null,
  ): Promise<void> {
    const { type, parentColumn } = this.family;
    const overridden = judged !== null && !judged.passed;
    const reason = overridden ? (wish.override_reason ?? null) : null;
    const from = current?.version_number ?? null;
    await tx.query(
      `INSERT INTO ${this.tables.moves}
         (company_id, ${parentColumn}, release_name, from_version, to_version, gate_result, override_reason, key_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [tx.companyId, parentId, name, from, target.version_number, jsonOf(judged), reason, keyOf(tx)],
    );
    const data = { release_name: name, from_version: from, to_version: target.version_number, overridden };
    tx.emit({ event: `${type}.release_moved`, resource: { type, id: parentId }, data });
    this.note(tx, parentId, {
      action: overridden ? 'gate_override' : 'release_move',
      before: from === null ? null : { release_name: name, version: from },
      after: data,
      ...(reason === null ? {} : { reason }),
    });
  }

  /** Deletes a release; the default only when it is the last one. */
  delete(caller: Caller, parentId: number, name: string): Promise<Deleted> {
    return this.db.withCompany(caller, async (tx) => {
      await this.tables.lockParent(tx, parentId);
      const current = await this.lock(tx, parentId, name);
      if (!current) return this.tables.missing('release');
      if (current.is_default) await this.requireLast(tx, parentId, current.id, name);
      await tx.query(
        `UPDATE ${this.tables.releases} SET deleted_at = $3, is_default = false WHERE company_id = $1 AND id = $2`,
        [tx.companyId, current.id, Date.now()],
      );
      this.note(tx, parentId, {
        action: 'delete',
        before: { release_name: name, version: current.version_number },
        after: null,
      });
      return { id: name, deleted: true };
    });
  }

  private async requireLast(tx: Tx, parentId: number, id: number, name: string): Promise<void> {
    const others = await tx.query(
      `SELECT 1 FROM ${this.tables.releases}
       WHERE company_id = $1 AND ${this.family.parentColumn} = $2 AND deleted_at IS NULL AND id <> $3 LIMIT 1`,
      [tx.companyId, parentId, id],
    );
    if (others.length > 0) throw conflict(`release ${name} is the default while others exist`);
  }

  private readonly rowSql = `SELECT l.id, l.version_id, l.is_default, l.gate_policy, v.version_number`;

  /** The release as it stands, unlocked; 404 when the parent does not exist. */
  private async find(companyId: number, parentId: number, name: string): Promise<ReleaseRow | undefined> {
    const { releases, versions } = this.tables;
    const [row] = await this.db.select<ReleaseRow>(
      companyId,
      `SELECT r.* FROM s, LATERAL (${this.rowSql} FROM ${releases} l
         JOIN ${versions} v ON v.company_id = l.company_id AND v.id = l.version_id
         JOIN ${this.tables.parents} p ON p.company_id = l.company_id AND p.id = l.${this.family.parentColumn}
         WHERE l.company_id = s.company AND p.id = $2 AND l.name = $3 AND l.deleted_at IS NULL AND p.deleted_at IS NULL
         OFFSET 0) r`,
      [parentId, name],
    );
    if (!row) await this.tables.requireParent(companyId, parentId);
    return row;
  }

  private async lock(tx: Tx, parentId: number, name: string): Promise<ReleaseRow | undefined> {
    const { releases, versions } = this.tables;
    const [row] = await tx.query<ReleaseRow>(
      `${this.rowSql} FROM ${releases} l JOIN ${versions} v ON v.company_id = l.company_id AND v.id = l.version_id
       WHERE l.company_id = $1 AND l.${this.family.parentColumn} = $2 AND l.name = $3 AND l.deleted_at IS NULL
       FOR UPDATE OF l`,
      [tx.companyId, parentId, name],
    );
    return row;
  }

  private note(tx: Tx, parentId: number, entry: { action: string; before?: unknown; after: unknown; reason?: string }) {
    tx.audit({ resource_type: this.family.type, resource_id: String(parentId), before: null, ...entry });
  }
}

const jsonOf = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));
const keyOf = (tx: Tx): number | null => ('keyId' in tx.owner ? tx.owner.keyId : null);

/** Overriding a gate and changing an existing policy are for admins. */
function requireAdmin(caller: Caller, current: ReleaseRow | undefined, wish: ReleaseWish): void {
  const changesPolicy =
    current?.gate_policy != null && wish.gate_policy !== undefined && !sameJson(wish.gate_policy, current.gate_policy);
  if ((wish.override_reason !== undefined || changesPolicy) && !caller.scopes.includes('admin'))
    throw new ApiError('missing_scope', 'missing scope: admin');
}
