import { versionEntities } from '@signalbox/database';
import { MonitorAlertRow } from './alerts/alert.entity.js';
import { MonitorCostRow } from './budgets/monitor-cost.entity.js';
import { MonitorCheckItemRow, MonitorCheckRow } from './checks/check.entity.js';
import { MonitorRow } from './monitors/monitor.entity.js';
import { MonitorRunRow } from './runs/run.entity.js';
import { MonitorTargetRow } from './targets/target.entity.js';

/** The entities of the tables of monitors. */
export const ENTITIES = [
  MonitorRow,
  MonitorTargetRow,
  MonitorRunRow,
  MonitorAlertRow,
  MonitorCheckRow,
  MonitorCheckItemRow,
  MonitorCostRow,
  ...versionEntities('monitor', 'monitor_id'),
];
