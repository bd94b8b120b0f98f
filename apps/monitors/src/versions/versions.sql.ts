import { draftStatements, familySql, type View } from '@signalbox/database';
import { MONITOR_SNAPSHOT } from '../monitors/index.js';

/**
 * SQL over a monitor `t`: joins its default release `l` and the version `w` that judges production, which is that of the
 * release, else the latest.
 */
export const STANDING_VERSION = `LEFT JOIN monitors.monitor_releases l
     ON l.company_id = t.company_id AND l.monitor_id = t.id AND l.is_default AND l.deleted_at IS NULL
   LEFT JOIN monitors.monitor_versions w ON w.company_id = t.company_id AND w.monitor_id = t.id
     AND CASE WHEN l.id IS NULL THEN w.is_latest ELSE w.id = l.version_id END`;

export const versionView: View = {
  resource: 'version',
  table: 'monitors.monitor_versions',
  columns: ['id', 'monitor_id', 'version_number', 'is_latest', 'version_notes', 'date_created'],
  detail: { snapshot: 't.snapshot' },
  search: ['t.version_number', 't.version_notes'],
  alive: 'true',
};

export const DRAFT_STATEMENTS = draftStatements({ index: 'monitors_pkey' }, 'monitors.monitors', MONITOR_SNAPSHOT);

export const MONITOR_SQL = familySql({
  schema: 'monitors',
  type: 'monitor',
  parent: 'monitors',
  nameColumn: 'name',
  parentColumn: 'monitor_id',
  prefix: 'monitor',
});
