import { versionEntities } from '@signalbox/database';
import { MonitorRunCountChangeRow, MonitorRunCountRow } from './activity/index.js';
import { MonitorAlertRow } from './alerts/index.js';
import { MonitorCostRow } from './budgets/index.js';
import { MonitorCheckItemRow, MonitorCheckRow } from './checks/index.js';
import { MonitorRow, MonitorTargetRow } from './monitors/index.js';
import { MonitorRunRow } from './runs/index.js';

export const ENTITIES = [
  MonitorRow,
  MonitorTargetRow,
  MonitorRunRow,
  MonitorAlertRow,
  MonitorCheckRow,
  MonitorCheckItemRow,
  MonitorCostRow,
  MonitorRunCountChangeRow,
  MonitorRunCountRow,
  ...versionEntities('monitor', 'monitor_id'),
];
