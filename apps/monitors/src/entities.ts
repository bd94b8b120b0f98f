import { versionEntities } from '@signalbox/database';
import { MonitorAlertRow } from './alerts/alert.entity.js';
import { MonitorRow } from './monitors/monitor.entity.js';
import { MonitorRunRow } from './runs/run.entity.js';
import { MonitorTargetRow } from './targets/target.entity.js';

/** The entities of the tables of monitors. */
export const ENTITIES = [
  MonitorRow,
  MonitorTargetRow,
  MonitorRunRow,
  MonitorAlertRow,
  ...versionEntities('monitor', 'monitor_id'),
];
