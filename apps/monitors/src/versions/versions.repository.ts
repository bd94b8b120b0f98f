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
import { Database, DraftSnapshots, Versions } from '@signalbox/database';
import { Monitors } from '../monitors/index.js';
import { DRAFT_STATEMENTS, MONITOR_SQL, versionView } from './versions.sql.js';

export interface MonitorSnapshot {
  name: string;
  description: string;
  config: MonitorConfig;
  meta: Record<string, unknown>;
}

export const MONITOR_FAMILY = {
  ...MONITOR_SQL,
  published: (id: number, data: VersionPublished) => emission(monitorEvents, 'monitor.version_published', id, data),
  releaseMoved: (id: number, data: ReleaseMoved) => emission(monitorEvents, 'monitor.release_moved', id, data),
};

@Injectable()
export class MonitorVersions extends Versions<MonitorSnapshot, MonitorVersion, Monitor> {
  constructor(db: Database, monitors: Monitors) {
    const drafts = new DraftSnapshots<MonitorSnapshot>(db, DRAFT_STATEMENTS, 'monitor');
    super(db, {
      ...MONITOR_FAMILY,
      versionView,
      freeze: (tx, id) => drafts.freeze(tx, id),
      draft: (companyId, id) => drafts.find(companyId, id),
      restore: (tx, id, snapshot) => monitors.restore(tx, id, snapshot),
      uniqueViolations: { monitors_name: 'a monitor of this name exists already' },
    });
  }
}
