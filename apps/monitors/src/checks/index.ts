export { MonitorCheckItemRow, MonitorCheckRow } from './check.entity.js';
export { ChecksModule } from './checks.module.js';
export { MonitorChecks } from './checks.repository.js';
