import {
  ApiError,
  type Caller,
  conflict,
  type Deleted,
  type GatePolicy,
  type GateResult,
  type Increment,
  type JsonText,
  type ListQuery,
  notFound,
  type Page,
  type Release,
  type ReleaseMove,
  type VersionDiff,
} from '@signalbox/contracts';
import type { Database, Tx } from './database.js';
import { diffSnapshots } from './snapshot-diff.js';
import type { View } from './view.js';

/** What may judge a move of a release: given the policy and the version, passed or the unmet conditions. */
export type Gate = (caller: Caller, parentId: number, version: string, policy: GatePolicy) => Promise<GateVerdict>;

/** The verdict of a gate; each unmet condition names its field. */
export interface GateVerdict {
  passed: boolean;
  unmet: { field: string; message: string }[];
  test_run_id?: number;
}

/** What a family adds to the shared pattern. */
export interface VersionedFamily<Snapshot extends object> {
  /** Resource type of events and audit entries, and the noun of messages. */
  type: string;
  /** Column of the version and release tables that holds the parent's id, such as `agent_id`. */
  parentColumn: string;
  /** Tables named `<prefix>_versions`, `<prefix>_releases`, `<prefix>_release_moves`. */
  prefix: string;
  /** View of the version record as the wire shows it; `?` columns of the family included. */
  versionView: View;
  /** Locks the parent and reads its draft; 404 when it does not exist. */
  freeze: (tx: Tx, parentId: number) => Promise<Snapshot>;
  /** Reads the draft without locking, null when the parent does not exist. */
  draft: (companyId: number, parentId: number) => Promise<Snapshot | null>;
  /** Copies a snapshot onto the draft. */
  restore: (tx: Tx, parentId: number, snapshot: Snapshot) => Promise<void>;
  /** Lists compared item by item in a diff, by the field that names an item. */
  parts?: Record<string, string>;
  gate: Gate;
}

interface VersionRow {
  id: number;
  version_number: string;
  snapshot: unknown;
}
interface ReleaseRow {
  id: number;
  name: string;
  version_id: number;
  version_number: string;
  is_default: boolean;
  gate_policy: GatePolicy | null;
}

/** The target of a call as resolved: null version = the draft. */
export interface ResolvedTarget<Snapshot> {
  version: string | null;
  release: string | null;
  snapshot: Snapshot;
}

const SEMVER = /^\d+\.\d+\.\d+$/;

/** The number after the latest one; the first is 1.0.0 whatever the increment. */
export function nextVersion(latest: string | null, increment: Increment): string {
  if (latest === null) return '1.0.0';
  const [major = 0, minor = 0, patch = 0] = latest.split('.').map(Number);
  if (increment === 'major') return `${major + 1}.0.0`;
  return increment === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** Immutable versions and named releases of one family (api.md 1.14); every family uses this one class. */
export class Versions<Snapshot extends object> {
  private readonly versions: string;
  private readonly releases: string;
  private readonly moves: string;
  private readonly releaseView: View;
  private readonly moveView: View;

  constructor(
    private readonly db: Database,
    private readonly family: VersionedFamily<Snapshot>,
  ) {
    this.versions = `"${db.schema}".${family.prefix}_versions`;
    this.releases = `"${db.schema}".${family.prefix}_releases`;
    this.moves = `"${db.schema}".${family.prefix}_release_moves`;
    this.releaseView = {
      resource: 'release',
      table: this.releases,
      columns: [
        'id',
        'name',
        'version_id',
        'is_default',
        'gate_policy',
        'moved_at',
        'moved_by_key_id',
        'date_created',
        'date_updated',
      ],
      computed: {
        version_number: `(SELECT v.version_number FROM ${this.versions} v WHERE v.company_id = t.company_id AND v.id = t.version_id)`,
      },
      search: ['t.name'],
      sort: { name: 't.name', moved_at: 't.moved_at' },
    };
    this.moveView = {
      resource: 'release',
      table: this.moves,
      columns: [
        'id',
        'release_name',
        'from_version',
        'to_version',
        'gate_result',
        'override_reason',
        'key_id',
        'date_created',
      ],
      alive: 'true',
    };
  }

  /** Freezes the draft into a new immutable version; concurrent publishes queue up behind the parent's row lock. */
  publish<V>(caller: Caller, parentId: number, increment: Increment, notes: string): Promise<JsonText<V>> {
    const { family } = this;
    return this.db.withCompany(caller, async (tx) => {
      const snapshot = await family.freeze(tx, parentId);
      const [latest] = await this.rows<VersionRow>(tx, `AND is_latest`, [parentId]);
      const number = nextVersion(latest?.version_number ?? null, increment);
      await tx.query(
        `UPDATE ${this.versions} SET is_latest = false WHERE company_id = $1 AND ${family.parentColumn} = $2 AND is_latest`,
        [tx.companyId, parentId],
      );
      const [made] = await tx.query<{ id: number }>(
        `INSERT INTO ${this.versions} (company_id, ${family.parentColumn}, version_number, is_latest, version_notes, snapshot)
         VALUES ($1, $2, $3, true, $4, $5) RETURNING id`,
        [tx.companyId, parentId, number, notes, JSON.stringify(snapshot)],
      );
      const id = made?.id ?? 0;
      const data = { id, version: number, notes };
      tx.emit({ event: `${family.type}.version_published`, resource: { type: family.type, id: parentId }, data });
      tx.audit({ action: 'publish', resource_type: family.type, resource_id: String(parentId), after: data });
      return this.versionById<V>(tx, id);
    });
  }

  private async versionById<V>(tx: Tx, id: number): Promise<JsonText<V>> {
    return (await tx.read<V>({ ...this.family.versionView, key: 'id' }, id)) ?? this.missing('version');
  }

  private rows<Row extends object>(tx: Tx, condition: string, values: unknown[]): Promise<Row[]> {
    return tx.query<Row>(
      `SELECT id, version_number, snapshot FROM ${this.versions}
       WHERE company_id = $1 AND ${this.family.parentColumn} = $2 ${condition}`,
      [tx.companyId, ...values],
    );
  }

  /** One page of versions, newest first unless asked otherwise. */
  async list<V>(companyId: number, parentId: number, query: ListQuery): Promise<JsonText<Page<V>>> {
    await this.requireParent(companyId, parentId);
    const view = { ...this.family.versionView, detail: undefined };
    return this.db.list<V>(view, companyId, {
      ...query,
      filters: [{ sql: `t.${this.family.parentColumn} = ?`, value: parentId }],
    });
  }

  /** One version record, its snapshot included when asked. */
  async get<V>(companyId: number, parentId: number, version: string, withSnapshot: boolean): Promise<JsonText<V>> {
    const row = await this.find(companyId, parentId, version);
    if (!row) {
      await this.requireParent(companyId, parentId);
      return this.missing('version');
    }
    const view = { ...this.family.versionView, key: 'id', ...(withSnapshot ? {} : { detail: {} }) };
    return (await this.db.readOne<V>(view, companyId, row.id)) ?? this.missing('version');
  }

  private async find(companyId: number, parentId: number, version: string): Promise<VersionRow | undefined> {
    const latest = version === 'latest';
    const [row] = await this.db.select<VersionRow>(
      companyId,
      `SELECT v.* FROM s, LATERAL (SELECT id, version_number, snapshot FROM ${this.versions} t
         WHERE t.company_id = s.company AND t.${this.family.parentColumn} = $2
           AND ${latest ? 't.is_latest AND $3::text IS NOT NULL' : 't.version_number = $3'} OFFSET 0) v`,
      [parentId, version],
    );
    return row;
  }

  private async findRelease(
    companyId: number,
    parentId: number,
    name: string | null,
  ): Promise<(ReleaseRow & VersionRow) | undefined> {
    const [row] = await this.db.select<ReleaseRow & VersionRow>(
      companyId,
      `SELECT r.* FROM s, LATERAL (SELECT t.name, v.id, v.version_number, v.snapshot FROM ${this.releases} t
         JOIN ${this.versions} v ON v.company_id = t.company_id AND v.id = t.version_id
         WHERE t.company_id = s.company AND t.${this.family.parentColumn} = $2 AND t.deleted_at IS NULL
           AND ${name === null ? 't.is_default AND $3::text IS NULL' : 't.name = $3'} OFFSET 0) r`,
      [parentId, name],
    );
    return row;
  }

  /** What a call runs: the pinned version or release, else the draft (api.md 1.14). */
  async resolve(
    companyId: number,
    parentId: number,
    target: { version?: string; release?: string },
  ): Promise<ResolvedTarget<Snapshot>> {
    if (target.version !== undefined) {
      const row = await this.find(companyId, parentId, target.version);
      if (!row) {
        await this.requireParent(companyId, parentId);
        return this.missing('version');
      }
      return { version: row.version_number, release: null, snapshot: row.snapshot as Snapshot };
    }
    if (target.release !== undefined) {
      const row = await this.findRelease(companyId, parentId, target.release);
      if (!row) {
        await this.requireParent(companyId, parentId);
        return this.missing('release');
      }
      return { version: row.version_number, release: target.release, snapshot: row.snapshot as Snapshot };
    }
    const snapshot = await this.requireParent(companyId, parentId);
    return { version: null, release: null, snapshot };
  }

  private async requireParent(companyId: number, parentId: number): Promise<Snapshot> {
    return (await this.family.draft(companyId, parentId)) ?? this.missing(this.family.type);
  }

  /** What changed between two points: a semantic version, a release, `latest` or `draft`. */
  async diff(companyId: number, parentId: number, from: string, to: string): Promise<VersionDiff> {
    const left = await this.point(companyId, parentId, from);
    const right = await this.point(companyId, parentId, to);
    const compared = diffSnapshots(left.snapshot, right.snapshot, this.family.parts ?? {});
    return { from_version: left.version, to_version: right.version, ...compared };
  }

  private point(companyId: number, parentId: number, word: string): Promise<ResolvedTarget<Snapshot>> {
    if (word === 'draft') return this.resolve(companyId, parentId, {});
    if (word === 'latest' || SEMVER.test(word)) return this.resolve(companyId, parentId, { version: word });
    return this.resolve(companyId, parentId, { release: word });
  }

  /** Copies a published version onto the draft. */
  async restore(caller: Caller, parentId: number, version: string): Promise<void> {
    await this.db.withCompany(caller, async (tx) => {
      await this.family.freeze(tx, parentId);
      const latest = version === 'latest';
      const [row] = await this.rows<VersionRow>(tx, latest ? 'AND is_latest' : 'AND version_number = $3', [
        parentId,
        ...(latest ? [] : [version]),
      ]);
      if (!row) return this.missing('version');
      await this.family.restore(tx, parentId, row.snapshot as Snapshot);
    });
  }

  async listReleases(companyId: number, parentId: number, query: ListQuery): Promise<JsonText<Page<Release>>> {
    await this.requireParent(companyId, parentId);
    return this.db.list(this.releaseView, companyId, {
      ...query,
      filters: [{ sql: `t.${this.family.parentColumn} = ?`, value: parentId }],
    });
  }

  async getRelease(companyId: number, parentId: number, name: string): Promise<JsonText<Release>> {
    const [row] = await this.db.select<{ id: number }>(
      companyId,
      `SELECT r.id FROM s, LATERAL (SELECT id FROM ${this.releases} t WHERE t.company_id = s.company
         AND t.${this.family.parentColumn} = $2 AND t.name = $3 AND t.deleted_at IS NULL OFFSET 0) r`,
      [parentId, name],
    );
    const release = row && (await this.db.readOne<Release>(this.releaseView, companyId, row.id));
    return release ?? this.missing('release');
  }

  /** Creates a release, or moves and changes an existing one; the gate has to agree before it moves. */
  async setRelease(
    caller: Caller,
    parentId: number,
    name: string,
    wish: ReleaseWish,
    create: boolean,
  ): Promise<JsonText<Release>> {
    const target = wish.version === undefined ? undefined : await this.find(caller.companyId, parentId, wish.version);
    if (wish.version !== undefined && !target) {
      await this.requireParent(caller.companyId, parentId);
      return this.missing('version');
    }
    return this.db.withCompany(
      caller,
      async (tx) => {
        await this.family.freeze(tx, parentId);
        const current = await this.lockRelease(tx, parentId, name);
        if (create && current) throw conflict(`release ${name} exists already`);
        if (!create && !current) return this.missing('release');
        const policy = wish.gate_policy === undefined ? (current?.gate_policy ?? null) : wish.gate_policy;
        requireAdmin(caller, current, wish);
        const moved = target !== undefined && target.version_number !== current?.version_number;
        const judged = target ? await this.judge(caller, parentId, target.version_number, policy, wish) : null;
        if (wish.is_default) await this.clearDefault(tx, parentId);
        const id = await this.writeRelease(
          tx,
          parentId,
          name,
          wish,
          target?.id ?? current?.version_id ?? 0,
          policy,
          current?.id,
          moved,
        );
        if (target && (moved || create)) await this.recordMove(tx, parentId, name, current, target, judged, wish);
        if (!moved)
          tx.audit({
            action: 'update',
            resource_type: this.family.type,
            resource_id: String(parentId),
            after: { release: name, ...wish },
          });
        return (await tx.read<Release>(this.releaseView, id)) ?? this.missing('release');
      },
      { [`${this.family.prefix}_releases_name`]: `release ${name} exists already` },
    );
  }

  private async lockRelease(tx: Tx, parentId: number, name: string): Promise<ReleaseRow | undefined> {
    const [row] = await tx.query<ReleaseRow>(
      `SELECT r.id, r.name, r.version_id, r.is_default, r.gate_policy, v.version_number FROM ${this.releases} r
       JOIN ${this.versions} v ON v.company_id = r.company_id AND v.id = r.version_id
       WHERE r.company_id = $1 AND r.${this.family.parentColumn} = $2 AND r.name = $3 AND r.deleted_at IS NULL FOR UPDATE OF r`,
      [tx.companyId, parentId, name],
    );
    return row;
  }

  private async judge(
    caller: Caller,
    parentId: number,
    version: string,
    policy: GatePolicy | null,
    wish: ReleaseWish,
  ): Promise<GateResult | null> {
    if (!policy) return null;
    const verdict = await this.family.gate(caller, parentId, version, policy);
    if (!verdict.passed && wish.override_reason === undefined)
      throw conflict(`release gate: ${verdict.unmet[0]?.message ?? 'not passed'}`, verdict.unmet);
    return {
      passed: verdict.passed,
      reasons: verdict.unmet.map(({ message }) => message),
      ...(verdict.test_run_id ? { test_run_id: verdict.test_run_id } : {}),
    };
  }

  private async clearDefault(tx: Tx, parentId: number): Promise<void> {
    await tx.query(
      `UPDATE ${this.releases} SET is_default = false WHERE company_id = $1 AND ${this.family.parentColumn} = $2 AND is_default`,
      [tx.companyId, parentId],
    );
  }

  private async writeRelease(
    tx: Tx,
    parentId: number,
    name: string,
    wish: ReleaseWish,
    versionId: number,
    policy: GatePolicy | null,
    id: number | undefined,
    moved: boolean,
  ): Promise<number> {
    const keyId = 'keyId' in tx.owner ? tx.owner.keyId : null;
    const [row] = await tx.query<{ id: number }>(
      id === undefined
        ? `INSERT INTO ${this.releases} (company_id, ${this.family.parentColumn}, name, version_id, is_default, gate_policy, moved_by_key_id)
           VALUES ($1, $2, $3, $4, COALESCE($5, false), $6, $7) RETURNING id`
        : `UPDATE ${this.releases} SET version_id = $4, is_default = COALESCE($5, is_default), gate_policy = $6,
             moved_by_key_id = CASE WHEN $9::boolean THEN $7 ELSE moved_by_key_id END,
             moved_at = CASE WHEN $9::boolean THEN $10 ELSE moved_at END, date_updated = $10
           WHERE company_id = $1 AND ${this.family.parentColumn} = $2 AND name = $3 AND id = $8 RETURNING id`,
      [
        tx.companyId,
        parentId,
        name,
        versionId,
        wish.is_default ?? null,
        policy === null ? null : JSON.stringify(policy),
        keyId,
        ...(id === undefined ? [] : [id, moved, Date.now()]),
      ],
    );
    return row?.id ?? 0;
  }

  private async recordMove(
    tx: Tx,
    parentId: number,
    name: string,
    current: ReleaseRow | undefined,
    target: VersionRow,
    judged: GateResult | null,
    wish: ReleaseWish,
  ): Promise<void> {
    const overridden = judged !== null && !judged.passed;
    const from = current?.version_number ?? null;
    await tx.query(
      `INSERT INTO ${this.moves} (company_id, ${this.family.parentColumn}, release_name, from_version, to_version, gate_result, override_reason, key_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        tx.companyId,
        parentId,
        name,
        from,
        target.version_number,
        judged === null ? null : JSON.stringify(judged),
        overridden ? wish.override_reason : null,
        'keyId' in tx.owner ? tx.owner.keyId : null,
      ],
    );
    const data = { release_name: name, from_version: from, to_version: target.version_number, overridden };
    tx.emit({ event: `${this.family.type}.release_moved`, resource: { type: this.family.type, id: parentId }, data });
    tx.audit({
      action: overridden ? 'gate_override' : 'release_move',
      resource_type: this.family.type,
      resource_id: String(parentId),
      before: from === null ? null : { release_name: name, version: from },
      after: data,
      ...(overridden && wish.override_reason ? { reason: wish.override_reason } : {}),
    });
  }

  /** Deletes a release; the default only when it is the last one. */
  deleteRelease(caller: Caller, parentId: number, name: string): Promise<Deleted> {
    return this.db.withCompany(caller, async (tx) => {
      await this.family.freeze(tx, parentId);
      const current = await this.lockRelease(tx, parentId, name);
      if (!current) return this.missing('release');
      const others = await tx.query(
        `SELECT 1 FROM ${this.releases} WHERE company_id = $1 AND ${this.family.parentColumn} = $2 AND deleted_at IS NULL AND id <> $3 LIMIT 1`,
        [tx.companyId, parentId, current.id],
      );
      if (current.is_default && others.length > 0) throw conflict(`release ${name} is the default while others exist`);
      await tx.query(
        `UPDATE ${this.releases} SET deleted_at = $3, is_default = false WHERE company_id = $1 AND id = $2`,
        [tx.companyId, current.id, Date.now()],
      );
      tx.audit({
        action: 'delete',
        resource_type: this.family.type,
        resource_id: String(parentId),
        before: { release: name },
      });
      return { id: name, deleted: true };
    });
  }

  async listMoves(
    companyId: number,
    parentId: number,
    name: string,
    query: ListQuery,
  ): Promise<JsonText<Page<ReleaseMove>>> {
    await this.getRelease(companyId, parentId, name);
    return this.db.list(this.moveView, companyId, {
      ...query,
      filters: [
        { sql: `t.${this.family.parentColumn} = ?`, value: parentId },
        { sql: `t.release_name = ?`, value: name },
      ],
    });
  }

  private missing(what: string): never {
    throw notFound(what.replaceAll('_', ' '));
  }
}

/** What a caller wishes for a release. */
export interface ReleaseWish {
  version?: string;
  is_default?: boolean;
  gate_policy?: GatePolicy | null;
  override_reason?: string;
}

/** Overriding a gate and changing an existing policy are for admins. */
function requireAdmin(caller: Caller, current: ReleaseRow | undefined, wish: ReleaseWish): void {
  const changesPolicy =
    current?.gate_policy != null &&
    wish.gate_policy !== undefined &&
    JSON.stringify(sorted(wish.gate_policy)) !== JSON.stringify(sorted(current.gate_policy));
  if ((wish.override_reason !== undefined || changesPolicy) && !caller.scopes.includes('admin'))
    throw new ApiError('missing_scope', 'missing scope: admin');
}

const sorted = (policy: GatePolicy | null): unknown => policy && Object.fromEntries(Object.entries(policy).sort());
