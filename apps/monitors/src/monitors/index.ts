export { ConfigChecks } from './config-checks.js';
export { MonitorRow } from './monitor.entity.js';
export { MonitorsModule } from './monitors.module.js';
export { Monitors } from './monitors.repository.js';
export { MONITOR_SNAPSHOT } from './monitors.sql.js';
export { MonitorTargetRow } from './target.entity.js';
export { MonitorTargets } from './targets.repository.js';
