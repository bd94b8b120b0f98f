import { Injectable } from '@nestjs/common';
import {
  emission,
  type Monitor,
  type MonitorConfig,
  monitorEvents,
  type MonitorVersion,
  type ReleaseMoved,
  type VersionPublished,
} from '@signalbox/contracts';
import { Database, Versions, type View } from '@signalbox/database';
import { MONITOR_SNAPSHOT, Monitors } from '../monitors/monitors.repository.js';

/** A monitor as a published version freezes it. */
export interface MonitorSnapshot {
  name: string;
  description: string;
  config: MonitorConfig;
  meta: Record<string, unknown>;
}

const versionView: View = {
  resource: 'version',
  table: 'monitors.monitor_versions',
  columns: ['id', 'monitor_id', 'version_number', 'is_latest', 'version_notes', 'date_created'],
  detail: { snapshot: 't.snapshot' },
  search: ['t.version_number', 't.version_notes'],
  alive: 'true',
};

/** Table and event names of monitors. */
export const MONITOR_FAMILY = {
  type: 'monitor',
  parent: 'monitors',
  nameColumn: 'name',
  parentColumn: 'monitor_id',
  published: (id: number, data: VersionPublished) => emission(monitorEvents, 'monitor.version_published', id, data),
  releaseMoved: (id: number, data: ReleaseMoved) => emission(monitorEvents, 'monitor.release_moved', id, data),
  prefix: 'monitor',
};

/** Versions of monitors. */
@Injectable()
export class MonitorVersions extends Versions<MonitorSnapshot, MonitorVersion, Monitor> {
  constructor(db: Database, monitors: Monitors) {
    super(db, {
      ...MONITOR_FAMILY,
      versionView,
      freeze: async (tx, id) => {
        const [row] = await tx.query<{ snapshot: MonitorSnapshot }>(
          `SELECT ${MONITOR_SNAPSHOT} AS snapshot FROM monitors.monitors t WHERE t.company_id = $1 AND t.id = $2`,
          [tx.companyId, id],
        );
        if (!row) throw new Error(`monitor ${id} does not exist although it is locked`);
        return row.snapshot;
      },
      draft: async (companyId, id) => {
        const [row] = await db.select<{ snapshot: MonitorSnapshot }>(
          companyId,
          `SELECT d.* FROM s, LATERAL (SELECT ${MONITOR_SNAPSHOT} AS snapshot FROM monitors.monitors t
             WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) d`,
          [id],
        );
        return row?.snapshot ?? null;
      },
      restore: (tx, id, snapshot) => monitors.restore(tx, id, snapshot),
      taken: { monitors_name: 'a monitor of this name exists already' },
    });
  }
}
