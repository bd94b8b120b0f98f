import { Injectable } from '@nestjs/common';
import {
  type Caller,
  conflict,
  emission,
  emits,
  type JsonText,
  monitorEvents,
  type MonitorOfTarget,
  type MonitorTarget,
  notFound,
  type TargetType,
  type WatchingMonitors,
} from '@signalbox/contracts';
import { CompanyRepository, Database, type Tx, type View } from '@signalbox/database';
import { MonitorTargetRow } from './target.entity.js';

const COLUMNS = [
  'id',
  'monitor_id',
  'target_type',
  'target_id',
  'target_name',
  'sample_rate',
  'enabled',
  'date_created',
  'date_updated',
];

/** The fields of a target over the alias `x`. */
export const TARGET_FIELDS = COLUMNS.map((column) => `x.${column}`).join(', ');

const view: View = {
  resource: 'monitor target',
  table: 'monitors.monitor_targets',
  columns: COLUMNS,
  search: ['t.target_name'],
  sort: { target_name: 't.target_name', sample_rate: 't.sample_rate' },
};

/** Chosen: the targets of a monitor are bounded, for they are read with it. */
const MAX_TARGETS = 1000;
const SHOWN = 20;

/** A resource with the name that it has since a change. */
export interface NamedResource {
  id: number;
  name: string;
  date_updated: number;
}

/** Rows of targets. */
@Injectable()
export class MonitorTargets extends CompanyRepository<MonitorTargetRow, MonitorTarget> {
  constructor(db: Database) {
    const taken = { monitor_targets_once: 'the target is attached already' };
    super(db, { entity: MonitorTargetRow, view, type: 'monitor_target', taken });
  }

  /** Attaches a target; `hold` keeps the monitor from being deleted meanwhile. */
  attach(
    caller: Caller,
    values: Pick<
      MonitorTargetRow,
      'monitor_id' | 'target_type' | 'target_id' | 'target_name' | 'name_date' | 'sample_rate' | 'enabled'
    >,
    hold: (tx: Tx) => Promise<void>,
  ): Promise<JsonText<MonitorTarget>> {
    return this.create(caller, values, [emits('monitor_target.attached')], async (tx) => {
      await hold(tx);
      const [row] = await tx.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM monitors.monitor_targets WHERE company_id = $1 AND monitor_id = $2 AND deleted_at IS NULL',
        [tx.companyId, values.monitor_id],
      );
      if ((row?.count ?? 0) >= MAX_TARGETS) throw conflict(`a monitor has at most ${MAX_TARGETS} targets`);
    });
  }

  /** Reads a target of a monitor; 404 for one of another monitor. */
  async getOf(companyId: number, monitorId: number, id: number): Promise<JsonText<MonitorTarget>> {
    const target = await this.get(companyId, id);
    if ((JSON.parse(target.text) as MonitorTarget).monitor_id !== monitorId) throw notFound('monitor target');
    return target;
  }

  /** Deletes the targets of a deleted monitor. */
  async dropOf(tx: Tx, monitorId: number): Promise<void> {
    await tx.query(
      'UPDATE monitors.monitor_targets SET deleted_at = $3 WHERE company_id = $1 AND monitor_id = $2 AND deleted_at IS NULL',
      [tx.companyId, monitorId, Date.now()],
    );
  }

  /** Detaches a resource that was deleted from every monitor. */
  async detachAll(tx: Tx, type: TargetType, targetId: number): Promise<void> {
    const gone = await tx.query<MonitorTarget>(
      `UPDATE monitors.monitor_targets x SET deleted_at = $4
       WHERE company_id = $1 AND target_type = $2 AND target_id = $3 AND deleted_at IS NULL RETURNING ${TARGET_FIELDS}`,
      [tx.companyId, type, targetId, Date.now()],
    );
    for (const target of gone) {
      tx.emit(emission(monitorEvents, 'monitor_target.detached', target.id, target));
      tx.audit({ action: 'delete', resource_type: 'monitor_target', resource_id: String(target.id), before: target });
    }
  }

  /** Follows a rename of a target; an older name never replaces a newer one. */
  async rename(tx: Tx, type: TargetType, { id, name, date_updated }: NamedResource): Promise<void> {
    await tx.query(
      `UPDATE monitors.monitor_targets SET target_name = $4, name_date = $5
       WHERE company_id = $1 AND target_type = $2 AND target_id = $3 AND deleted_at IS NULL AND name_date <= $5`,
      [tx.companyId, type, id, name, date_updated],
    );
  }

  /** The active monitors that a resource is attached to. */
  listByTarget(
    companyId: number,
    type: TargetType,
    targetId: number,
    enabledOnly: boolean,
  ): Promise<MonitorOfTarget[]> {
    return this.db.select<MonitorOfTarget>(
      companyId,
      `SELECT r.* FROM s, LATERAL (SELECT json_build_object('id', t.id, 'name', t.name, 'status', t.status) AS monitor,
         json_build_object('id', x.id, 'target_type', x.target_type, 'target_id', x.target_id, 'sample_rate', x.sample_rate,
           'enabled', x.enabled) AS monitor_target
       FROM monitors.monitor_targets x JOIN monitors.monitors t ON t.company_id = x.company_id AND t.id = x.monitor_id
       WHERE x.company_id = s.company AND x.target_type = $2 AND x.target_id = $3 AND x.deleted_at IS NULL
         AND t.deleted_at IS NULL AND t.status = 'ACTIVE' AND (x.enabled OR NOT $4::boolean) ORDER BY x.id OFFSET 0) r`,
      [type, targetId, enabledOnly],
    );
  }

  /** The monitors, in any state, with a target that is the resource. */
  async watching(companyId: number, type: TargetType, targetId: number): Promise<WatchingMonitors> {
    const rows = await this.db.select<{ monitor_id: number }>(
      companyId,
      `SELECT r.* FROM s, LATERAL (SELECT x.monitor_id FROM monitors.monitor_targets x
         WHERE x.company_id = s.company AND x.target_type = $2 AND x.target_id = $3 AND x.deleted_at IS NULL
         ORDER BY x.monitor_id OFFSET 0) r`,
      [type, targetId],
    );
    return firstOf(rows);
  }

  /** The monitors whose draft runs a workflow. */
  async running(companyId: number, workflowId: number): Promise<WatchingMonitors> {
    const rows = await this.db.select<{ monitor_id: number }>(
      companyId,
      `SELECT r.* FROM s, LATERAL (SELECT t.id AS monitor_id FROM monitors.monitors t
         WHERE t.company_id = s.company AND t.deleted_at IS NULL AND t.config->'runner'->>'resource_type' = 'workflow'
           AND t.config->'runner'->>'resource_id' = $2::text ORDER BY t.id OFFSET 0) r`,
      [workflowId],
    );
    return firstOf(rows);
  }
}

const firstOf = (rows: readonly { monitor_id: number }[]): WatchingMonitors => ({
  monitor_ids: rows.slice(0, SHOWN).map(({ monitor_id }) => monitor_id),
  total: rows.length,
});
