export { ActivityModule } from './activity.module.js';
export { MonitorRunCountChangeRow, MonitorRunCountRow } from './run-count.entity.js';
