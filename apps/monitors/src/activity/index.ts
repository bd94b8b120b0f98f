export { spanSince } from './activity.js';
export { ActivityModule } from './activity.module.js';
export { countedValues } from './activity.repository.js';
export { byOutcome } from './activity.sql.js';
export { MonitorRunCountChangeRow, MonitorRunCountRow } from './run-count.entity.js';
export { COUNTED_INDEXES, countedRuns } from './run-counts.sql.js';
