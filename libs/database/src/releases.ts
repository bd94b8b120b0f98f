import {
  ApiError,
  type Caller,
  conflict,
  type Deleted,
  type GatePolicy,
  type GateResult,
  type JsonText,
  type ListQuery,
  notFound,
  type Page,
  type Release,
  type ReleaseMove,
} from '@signalbox/contracts';
import type { Database, Tx } from './database.js';
import { type ReleaseRow, ReleaseRows } from './release-rows.js';
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

/** Named releases of one family (api.md 1.14): pointers to versions that a gate may guard. */
export class Releases {
  private readonly tables: VersionTables<object>;
  private readonly rows: ReleaseRows;

  constructor(
    private readonly db: Database,
    private readonly family: FamilyNames,
    private readonly gate: Gate,
  ) {
    this.tables = new VersionTables(db, family);
    this.rows = new ReleaseRows(db, this.tables, family.parentColumn);
  }

  async list(companyId: number, parentId: number, query: ListQuery): Promise<JsonText<Page<Release>>> {
    await this.tables.requireParent(companyId, parentId);
    const filters = [{ sql: `t.${this.family.parentColumn} = ?`, value: parentId }];
    return this.db.list(releaseView(this.tables), companyId, { ...query, filters });
  }

  async get(companyId: number, parentId: number, name: string): Promise<JsonText<Release>> {
    const row = await this.rows.find(companyId, parentId, name);
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
    if (!(await this.rows.find(companyId, parentId, name))) this.tables.missing('release');
    const filters = [
      { sql: `t.${this.family.parentColumn} = ?`, value: parentId },
      { sql: `t.release_name = ?`, value: name },
    ];
    return this.db.list(moveView(this.tables), companyId, { ...query, filters });
  }

  /** Makes a release; a policy that comes with it guards its first version too. */
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
    const seen = await this.rows.find(companyId, parentId, name);
    check(order, seen);
    // The gate asks another service: no lock and no connection may be held while it thinks.
    const policy = policyAfter(seen, wish);
    const judged = await this.judge(order, policy);
    return this.db.withCompany(caller, async (tx) => {
      await this.tables.lockParent(tx, parentId);
      const current = await this.rows.lock(tx, parentId, name);
      check(order, current);
      if (target && !sameJson(policyAfter(current, wish), policy))
        throw conflict(`the gate policy of release ${name} was changed meanwhile`);
      return this.apply(tx, order, current, judged);
    });
  }

  private async judge(order: Order, policy: GatePolicy | null): Promise<GateResult | null> {
    const { caller, parentId, wish, target } = order;
    if (!policy || !target) return null;
    const { passed, unmet, test_run_id } = await this.gate(caller, parentId, target.version_number, policy);
    if (!passed && wish.override_reason === undefined)
      throw conflict(`release gate: ${unmet[0]?.message ?? 'not passed'}`, unmet);
    return { passed, reasons: unmet.map(({ message }) => message), ...(test_run_id ? { test_run_id } : {}) };
  }

  private async apply(tx: Tx, order: Order, current: ReleaseRow | undefined, judged: GateResult | null) {
    const { parentId, name, wish, target } = order;
    const moved = target !== null && target.version_number !== current?.version_number;
    if (wish.is_default) await this.rows.clearDefault(tx, parentId);
    const state = {
      version_id: target?.id ?? current?.version_id ?? 0,
      is_default: wish.is_default ?? current?.is_default ?? false,
      gate_policy: policyAfter(current, wish),
    };
    if (current) await this.rows.update(tx, current.id, state, moved);
    const id = current?.id ?? (await this.rows.insert(tx, parentId, name, state));
    if (moved) await this.recordMove(tx, order, target, current, judged);
    else this.note(tx, parentId, { action: 'update', after: { release_name: name, ...wish } });
    return (await tx.read<Release>(releaseView(this.tables), id)) ?? this.tables.missing('release');
  }

  private async recordMove(
    tx: Tx,
    { parentId, name, wish }: Order,
    target: VersionRow,
    current: ReleaseRow | undefined,
    judged: GateResult | null,
  ): Promise<void> {
    const { type } = this.family;
    const overridden = judged !== null && !judged.passed;
    const reason = overridden ? (wish.override_reason ?? null) : null;
    const from = current?.version_number ?? null;
    const to = target.version_number;
    await this.rows.addMove(tx, parentId, { name, from, to, judged, reason });
    const data = { release_name: name, from_version: from, to_version: to, overridden };
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
      const current = await this.rows.lock(tx, parentId, name);
      if (!current) return this.tables.missing('release');
      if (current.is_default) await this.rows.requireLast(tx, parentId, current.id, name);
      await this.rows.delete(tx, current.id);
      const before = { release_name: name, version: current.version_number };
      this.note(tx, parentId, { action: 'delete', before, after: null });
      return { id: name, deleted: true };
    });
  }

  private note(tx: Tx, parentId: number, entry: { action: string; before?: unknown; after: unknown; reason?: string }) {
    tx.audit({ resource_type: this.family.type, resource_id: String(parentId), before: null, ...entry });
  }
}

const policyAfter = (current: ReleaseRow | undefined, wish: ReleaseWish): GatePolicy | null =>
  wish.gate_policy === undefined ? (current?.gate_policy ?? null) : wish.gate_policy;

function check({ caller, name, wish, fresh }: Order, current: ReleaseRow | undefined): void {
  if (fresh && current) throw conflict(`release ${name} exists already`);
  if (!fresh && !current) throw notFound('release');
  const policy = current?.gate_policy;
  const changesPolicy = policy != null && wish.gate_policy !== undefined && !sameJson(wish.gate_policy, policy);
  // Overriding a gate and changing an existing policy are for admins.
  if ((wish.override_reason !== undefined || changesPolicy) && !caller.scopes.includes('admin'))
    throw new ApiError('missing_scope', 'missing scope: admin');
}
