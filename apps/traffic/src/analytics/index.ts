export { Analytics } from './analytics.js';
export { AnalyticsModule } from './analytics.module.js';
export { type Metrics, rate } from './metrics.js';
export type { Kind } from './points.js';
export { Rollups } from './rollups.repository.js';
export type { RequestCount } from './rollups.sql.js';
export { type Span, spanOf } from './time-buckets.js';
