import { Injectable } from '@nestjs/common';
import { emits, type JsonText, type Monitor, type MonitorSummary, notFound } from '@signalbox/contracts';
import { CompanyRepository, Database, type Tx, type View } from '@signalbox/database';
import { TARGET_FIELDS } from './targets.repository.js';
import { MonitorRow } from './monitor.entity.js';

/** The versioned part of a monitor. */
export const MONITOR_SNAPSHOT = `jsonb_build_object('name', t.name, 'description', t.description, 'config', t.config, 'meta', t.meta)`;

const OF_MONITOR = 'x.company_id = t.company_id AND x.monitor_id = t.id';
const LIVING_TARGETS = `monitors.monitor_targets x WHERE ${OF_MONITOR} AND x.deleted_at IS NULL`;

const view: View = {
  resource: 'monitor',
  table: 'monitors.monitors',
  columns: ['id', 'name', 'description', 'status', 'date_created', 'date_updated'],
  computed: {
    target_count: `(SELECT count(*)::int FROM ${LIVING_TARGETS})`,
    active: `(t.status = 'ACTIVE' AND EXISTS (SELECT 1 FROM ${LIVING_TARGETS} AND x.enabled)
      AND EXISTS (SELECT 1 FROM monitors.monitor_versions x WHERE ${OF_MONITOR}))`,
    has_unpublished_changes: `NOT EXISTS (SELECT 1 FROM monitors.monitor_versions x
      WHERE ${OF_MONITOR} AND x.is_latest AND x.snapshot = ${MONITOR_SNAPSHOT})`,
    latest_version_number: `(SELECT x.version_number FROM monitors.monitor_versions x WHERE ${OF_MONITOR} AND x.is_latest)`,
    last_run_at: `(SELECT max(x.date_created) FROM monitors.monitor_runs x WHERE ${OF_MONITOR} AND x.outcome IS NOT NULL)`,
  },
  detail: {
    config: 't.config',
    meta: 't.meta',
    alert_rules: 't.alert_rules',
    shadow_version: 't.shadow_version',
    default_release: `(SELECT x.name FROM monitors.monitor_releases x WHERE ${OF_MONITOR} AND x.is_default AND x.deleted_at IS NULL)`,
    targets: `COALESCE((SELECT json_agg(row_to_json(f) ORDER BY f.id) FROM (SELECT ${TARGET_FIELDS} FROM ${LIVING_TARGETS}) f), '[]'::json)`,
  },
  search: ['t.name', 't.description'],
  sort: { name: 't.name', status: 't.status' },
};

const { targets: _targets, ...DETAIL_WITHOUT_TARGETS } = view.detail ?? {};
const withoutTargets: View = { ...view, detail: DETAIL_WITHOUT_TARGETS };

/** Rows of monitors. */
@Injectable()
export class Monitors extends CompanyRepository<MonitorRow, Monitor, MonitorSummary> {
  constructor(db: Database) {
    super(db, {
      entity: MonitorRow,
      view,
      type: 'monitor',
      taken: { monitors_name: 'a monitor of this name exists already' },
    });
  }

  /** Reads one monitor without its targets; 404 when it does not exist. */
  async getWithoutTargets(companyId: number, id: number): Promise<JsonText<Monitor>> {
    const monitor = await this.db.readOne<Monitor>(withoutTargets, companyId, id);
    if (!monitor) throw notFound('monitor');
    return monitor;
  }

  /** The row of a monitor without a lock; 404 when it does not exist. */
  async row(companyId: number, id: number): Promise<Pick<MonitorRow, 'status' | 'config'>> {
    const [row] = await this.db.select<Pick<MonitorRow, 'status' | 'config'>>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.status, t.config FROM monitors.monitors t
         WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
      [id],
    );
    if (!row) throw notFound('monitor');
    return row;
  }

  /** 404 when the monitor has no such version. */
  async requireVersion(tx: Tx, id: number, version: string): Promise<void> {
    const found = await tx.query(
      'SELECT 1 FROM monitors.monitor_versions WHERE company_id = $1 AND monitor_id = $2 AND version_number = $3',
      [tx.companyId, id, version],
    );
    if (found.length === 0) throw notFound('version');
  }

  /** Keeps the locked monitor until the transaction ends; 404 when it does not exist. */
  async hold(tx: Tx, id: number): Promise<void> {
    const found = await tx.query(
      'SELECT 1 FROM monitors.monitors WHERE company_id = $1 AND id = $2 AND deleted_at IS NULL FOR SHARE',
      [tx.companyId, id],
    );
    if (found.length === 0) throw notFound('monitor');
  }

  /** Restores a snapshot onto the draft of the locked monitor. */
  restore(
    tx: Tx,
    id: number,
    snapshot: Pick<MonitorRow, 'name' | 'description' | 'config' | 'meta'>,
  ): Promise<JsonText<Monitor>> {
    return this.changeIn(tx, id, () => ({ set: snapshot, events: [emits('monitor.updated')] }));
  }
}
