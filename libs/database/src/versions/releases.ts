import {
  type Caller,
  conflict,
  type Deleted,
  type FamilyRelease,
  type GatePolicy,
  type GatedReleases,
  type GateResult,
  invalidField,
  type JsonText,
  type ListQuery,
  type McpRelease,
  type Page,
  type Release,
  type ReleaseMove,
} from '@signalbox/contracts';
import type { Database } from '../database.js';
import type { Tx } from '../tx.js';
import { MAX_MCP_RELEASES, type ReleaseRow, ReleaseRows } from './release-rows.js';
import { sameJson } from './snapshot-diff.js';
import type { Family, Gate } from './version-family.js';
import { type VersionRow, VersionRows } from './version-rows.js';
import type { ListOptions } from '../view.js';
import {
  type ReleaseInput,
  type ReleaseWrite,
  nameTaken,
  resultOf,
  policyAfter,
  requireAllowed,
  requireAdmin,
} from './release-write.js';

const GATED_SHOWN = 20;

/** Named pointers to versions, optionally guarded by a gate (docs/api/versions-and-releases.md). */
export class Releases {
  private readonly views = this.family.sql.views;
  private readonly versions: VersionRows<object>;
  private readonly rows: ReleaseRows;

  constructor(
    private readonly db: Database,
    private readonly family: Family,
    private readonly gate: Gate,
  ) {
    this.versions = new VersionRows(db, family);
    this.rows = new ReleaseRows(db, this.versions, family.sql.releases);
  }

  async list(companyId: number, parentId: number, query: ListQuery): Promise<JsonText<Page<Release>>> {
    await this.versions.requireParent(companyId, parentId);
    const filters = [{ sql: `t.${this.family.parentColumn} = ?`, value: parentId }];
    return this.db.list(this.views.release, companyId, { ...query, filters });
  }

  async get(companyId: number, parentId: number, name: string): Promise<JsonText<Release>> {
    const row = await this.rows.find(companyId, parentId, name);
    const release = row && (await this.db.readOne<Release>(this.views.release, companyId, row.id));
    return release ?? this.versions.missing('release');
  }

  async listMoves(
    companyId: number,
    parentId: number,
    name: string,
    query: ListQuery,
  ): Promise<JsonText<Page<ReleaseMove>>> {
    const { id } = (await this.rows.find(companyId, parentId, name)) ?? this.versions.missing('release');
    const filters = [{ sql: 't.release_id = ?', value: id }];
    return this.db.list(this.views.move, companyId, { ...query, filters });
  }

  listFamily(companyId: number, options: ListOptions): Promise<JsonText<Page<FamilyRelease>>> {
    return this.db.list(this.views.overview, companyId, options);
  }

  async listGated(companyId: number, testSetId: number): Promise<GatedReleases> {
    const filters = [{ sql: `(t.gate_policy->>'test_set_id')::int = ?`, value: testSetId }];
    const page = await this.listFamily(companyId, { offset: 0, limit: GATED_SHOWN, sort: 'id', filters });
    const { data, pagination } = JSON.parse(page.text) as Page<FamilyRelease>;
    const releases = data.map(({ parent_type, parent_id, name }) => ({ parent_type, parent_id, name }));
    return { releases, total: pagination.total };
  }

  /** The releases that MCP clients may call, with the input and output of their snapshots. */
  listMcp(companyId: number): Promise<McpRelease[]> {
    const { listTools } = this.family.sql.releases;
    return listTools ? this.db.select(companyId, listTools, [MAX_MCP_RELEASES]) : Promise.resolve([]);
  }

  /** Without a policy every version passes. */
  async check(caller: Caller, parentId: number, name: string, version: string): Promise<GateResult> {
    const { gate_policy } =
      (await this.rows.find(caller.companyId, parentId, name)) ?? this.versions.missing('release');
    const target =
      (await this.versions.find(caller.companyId, parentId, { version })) ?? this.versions.missing('version');
    if (!gate_policy) return { passed: true, reasons: [] };
    return resultOf(await this.gate(caller, parentId, target.version_number, gate_policy));
  }

  /** A policy given here applies to the first version too. */
  create(caller: Caller, parentId: number, name: string, input: ReleaseInput): Promise<JsonText<Release>> {
    return this.write(caller, parentId, name, input, true);
  }

  /** A move requires that the gate passes. */
  update(caller: Caller, parentId: number, name: string, input: ReleaseInput): Promise<JsonText<Release>> {
    return this.write(caller, parentId, name, input, false);
  }

  private async write(caller: Caller, parentId: number, name: string, input: ReleaseInput, isNew: boolean) {
    const { companyId } = caller;
    if (input.mcp_enabled && !this.family.mcp) throw invalidField('mcp_enabled', 'is for agents and workflows only');
    const target =
      input.version === undefined ? null : await this.versions.find(companyId, parentId, { version: input.version });
    if (input.version !== undefined && !target) this.versions.missing('version');
    const write = { caller, parentId, name, input, isNew, target };
    const seen = await this.rows.find(companyId, parentId, name);
    const names = [name, ...(input.name === undefined ? [] : [input.name])];
    requireAllowed(write, seen, await this.rows.gated(companyId, parentId, names));
    // The gate calls another service, so no lock or connection may be held. It refuses a policy with an unknown test
    // set, whatever its verdict.
    const policy = policyAfter(seen, input);
    if (!target && seen && input.gate_policy) await this.gate(caller, parentId, seen.version_number, input.gate_policy);
    const verdict = await this.judge(write, policy);
    return this.db.withCompany(caller, async (tx) => {
      await this.versions.lockParent(tx, parentId);
      const current = await this.rows.lock(tx, parentId, name);
      requireAllowed(write, current, await this.rows.gated(tx, parentId, names));
      await this.requireFree(tx, write);
      if (target && !sameJson(policyAfter(current, input), policy))
        throw conflict(`the gate policy of release ${name} was changed meanwhile`);
      return this.apply(tx, write, current, verdict);
    });
  }

  private async requireFree(tx: Tx, { parentId, name, input }: ReleaseWrite): Promise<void> {
    if (input.name === undefined || input.name === name) return;
    if (await this.rows.lock(tx, parentId, input.name)) throw nameTaken(input.name);
  }

  private async judge(write: ReleaseWrite, policy: GatePolicy | null): Promise<GateResult | null> {
    const { caller, parentId, input, target } = write;
    if (!policy || !target) return null;
    const verdict = await this.gate(caller, parentId, target.version_number, policy);
    if (!verdict.passed && input.override_reason === undefined)
      throw conflict(`release gate: ${verdict.unmet[0]?.message ?? 'not passed'}`, verdict.unmet);
    return resultOf(verdict);
  }

  private async apply(tx: Tx, write: ReleaseWrite, current: ReleaseRow | undefined, verdict: GateResult | null) {
    const { parentId, name, input, target } = write;
    const moved = target !== null && target.version_number !== current?.version_number;
    if (!current) await this.rows.requireCapacity(tx, parentId);
    if (input.mcp_enabled && !current?.mcp_enabled) await this.rows.requireToolCapacity(tx);
    if (input.is_default) await this.rows.clearDefault(tx, parentId);
    const state = {
      name: input.name ?? name,
      version_id: target?.id ?? current?.version_id ?? 0,
      is_default: input.is_default ?? current?.is_default ?? false,
      gate_policy: policyAfter(current, input),
      mcp_enabled: input.mcp_enabled ?? current?.mcp_enabled ?? false,
    };
    if (current) await this.rows.update(tx, current.id, state, moved);
    const id = current?.id ?? (await this.rows.insert(tx, parentId, state));
    const renamed = state.name !== name;
    if (moved) await this.recordMove(tx, { ...write, name: state.name, id }, target, current, verdict);
    if (!moved || renamed) {
      const { name: _new, ...changes } = input;
      const before = { ...this.ofParent(parentId), release_name: name };
      this.note(tx, id, { action: 'update', before, after: { ...before, ...changes, release_name: state.name } });
    }
    return (await tx.read<Release>(this.views.release, id)) ?? this.versions.missing('release');
  }

  private async recordMove(
    tx: Tx,
    { parentId, name, input, id }: ReleaseWrite & { id: number },
    target: VersionRow,
    current: ReleaseRow | undefined,
    verdict: GateResult | null,
  ): Promise<void> {
    const overridden = verdict !== null && !verdict.passed;
    const reason = overridden ? (input.override_reason ?? null) : null;
    const from = current?.version_number ?? null;
    const to = target.version_number;
    await this.rows.addMove(tx, parentId, { id, name, from, to, judged: verdict, reason });
    const data = { release_name: name, from_version: from, to_version: to, overridden };
    tx.emit(this.family.releaseMoved(parentId, data));
    this.note(tx, id, {
      action: overridden ? 'gate_override' : 'release_move',
      before: from === null ? null : { ...this.ofParent(parentId), release_name: name, version: from },
      after: { ...this.ofParent(parentId), ...data },
      ...(reason === null ? {} : { reason }),
    });
  }

  /** The default can be deleted only when it is the last one, one with a gate only by an admin. */
  delete(caller: Caller, parentId: number, name: string): Promise<Deleted> {
    return this.db.withCompany(caller, async (tx) => {
      await this.versions.lockParent(tx, parentId);
      const current = await this.rows.lock(tx, parentId, name);
      if (!current) return this.versions.missing('release');
      if (current.gate_policy) requireAdmin(caller);
      if (current.is_default) await this.rows.requireLast(tx, parentId, current.id, name);
      await this.rows.delete(tx, current.id);
      const before = { ...this.ofParent(parentId), release_name: name, version: current.version_number };
      this.note(tx, current.id, { action: 'delete', before, after: null });
      return { id: name, deleted: true };
    });
  }

  private ofParent(parentId: number): Record<string, number> {
    return { [this.family.parentColumn]: parentId };
  }

  private note(tx: Tx, id: number, entry: { action: string; before?: unknown; after: unknown; reason?: string }) {
    tx.audit({ resource_type: `${this.family.type}_release`, resource_id: String(id), before: null, ...entry });
  }
}
