import type { monitorActivity } from './monitor-activity.js';
import type { monitorAlerts } from './monitor-alerts.js';
import type { monitorChecks } from './monitor-checks.js';
import type { monitorLinks } from './monitor-links.js';
import type { monitorPreviews } from './monitor-previews.js';
import type { monitorRuns } from './monitor-runs.js';
import type { monitorTargets } from './monitor-targets.js';
import type { monitorVersions, monitors } from './monitors.js';
import type { requestPayloads, runPayloads, taskPayloads } from './source-payloads.js';

export * from './monitor-activity.js';
export * from './monitor-alerts.js';
export * from './monitor-checks.js';
export * from './monitor-config.js';
export * from './monitor-links.js';
export * from './monitor-path.js';
export * from './monitor-previews.js';
export * from './monitor-runs.js';
export * from './monitor-targets.js';
export * from './monitors.js';
export * from './source-payloads.js';

/** One of the contracts of this folder, with the types of its endpoints. */
export type MonitorContract =
  | typeof monitors
  | typeof monitorTargets
  | typeof monitorVersions
  | typeof monitorLinks
  | typeof monitorRuns
  | typeof monitorPreviews
  | typeof monitorActivity
  | typeof monitorAlerts
  | typeof monitorChecks
  | typeof requestPayloads
  | typeof runPayloads
  | typeof taskPayloads;
