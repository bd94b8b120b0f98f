import { Injectable } from '@nestjs/common';
import {
  type Caller,
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
import { CompanyRepository, Database, requireFewer, type Tx } from '@signalbox/database';
import { MonitorTargetRow } from './target.entity.js';
import {
  COUNT_TARGETS,
  COUNT_WATCHERS,
  DETACH_FROM_MONITOR,
  DETACH_FROM_ALL,
  RENAME_TARGET,
  LIST_BY_TARGET,
  MONITORS_THAT_WATCH,
  MONITORS_THAT_RUN,
  view,
} from './targets.sql.js';

/** Bounded, because a monitor is read with its targets. */
const MAX_TARGETS = 1000;
/** Of one target: each of its runs is judged by all of them. */
const MAX_MONITORS = 100;
const SHOWN = 20;

/** `date_updated` is that of the change that gave the name. */
export interface NamedResource {
  id: number;
  name: string;
  date_updated: number;
}

@Injectable()
export class MonitorTargets extends CompanyRepository<MonitorTargetRow, MonitorTarget> {
  constructor(db: Database) {
    const uniqueViolations = { monitor_targets_once: 'the target is attached already' };
    super(db, { entity: MonitorTargetRow, view, type: 'monitor_target', uniqueViolations });
  }

  /** `hold` must keep the monitor from being deleted meanwhile. */
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
      const { monitor_id, target_type, target_id } = values;
      await requireFewer(tx, MAX_TARGETS, {
        sql: COUNT_TARGETS,
        values: [monitor_id],
        message: `a monitor has at most ${MAX_TARGETS} targets`,
      });
      await requireFewer(tx, MAX_MONITORS, {
        sql: COUNT_WATCHERS,
        values: [target_type, target_id],
        message: `at most ${MAX_MONITORS} monitors watch one target`,
      });
    });
  }

  /** Throws 404 for a target of another monitor. */
  async getOf(companyId: number, monitorId: number, id: number): Promise<JsonText<MonitorTarget>> {
    const target = await this.get(companyId, id);
    if ((JSON.parse(target.text) as MonitorTarget).monitor_id !== monitorId) throw notFound('monitor target');
    return target;
  }

  async dropOf(tx: Tx, monitorId: number): Promise<void> {
    await tx.query(DETACH_FROM_MONITOR, [tx.companyId, monitorId, Date.now()]);
  }

  async detachAll(tx: Tx, type: TargetType, targetId: number): Promise<void> {
    const gone = await tx.query<MonitorTarget>(DETACH_FROM_ALL, [tx.companyId, type, targetId, Date.now()]);
    for (const target of gone) {
      tx.emit(emission(monitorEvents, 'monitor_target.detached', target.id, target));
      tx.audit({ action: 'delete', resource_type: 'monitor_target', resource_id: String(target.id), before: target });
    }
  }

  /** An older name never replaces a newer one. */
  async rename(tx: Tx, type: TargetType, { id, name, date_updated }: NamedResource): Promise<void> {
    await tx.query(RENAME_TARGET, [tx.companyId, type, id, name, date_updated]);
  }

  /** Active monitors only. */
  listByTarget(
    companyId: number,
    type: TargetType,
    targetId: number,
    enabledOnly: boolean,
  ): Promise<MonitorOfTarget[]> {
    return this.db.select<MonitorOfTarget>(companyId, LIST_BY_TARGET, [type, targetId, enabledOnly]);
  }

  /** Monitors in any state. */
  async watching(companyId: number, type: TargetType, targetId: number): Promise<WatchingMonitors> {
    const rows = await this.db.select<{ monitor_id: number }>(companyId, MONITORS_THAT_WATCH, [type, targetId]);
    return firstOf(rows);
  }

  /** Monitors whose draft has the workflow as runner. */
  async running(companyId: number, workflowId: number): Promise<WatchingMonitors> {
    const rows = await this.db.select<{ monitor_id: number }>(companyId, MONITORS_THAT_RUN, [workflowId]);
    return firstOf(rows);
  }
}

const firstOf = (rows: readonly { monitor_id: number }[]): WatchingMonitors => ({
  monitor_ids: rows.slice(0, SHOWN).map(({ monitor_id }) => monitor_id),
  total: rows.length,
});
