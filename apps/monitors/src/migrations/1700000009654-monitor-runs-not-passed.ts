import { largeTableIndexes } from '@signalbox/database';

/** Runs of outcomes that are few of all, newest first. The outcome is compared in the index, however rare it is. */
export const MonitorRunsNotPassed1700000009654 = largeTableIndexes('MonitorRunsNotPassed1700000009654', 'monitors', [
  { name: 'monitor_runs_not_passed', on: `monitors.monitor_runs (company_id, id, outcome) WHERE outcome <> 'PASS'` },
]);
