export { VersionsModule } from './versions.module.js';
export { MONITOR_FAMILY, type MonitorSnapshot, MonitorVersions } from './versions.repository.js';
export { STANDING_VERSION } from './versions.sql.js';
