import type { Migration } from '@signalbox/database';
import { Monitors1700000005000 } from './1700000005000-monitors.js';
import { MonitorRuns1700000005100 } from './1700000005100-monitor-runs.js';
import { MonitorAlerts1700000005200 } from './1700000005200-monitor-alerts.js';
import { MonitorActivations1700000005310 } from './1700000005310-monitor-activations.js';
import { MonitorChecks1700000005320 } from './1700000005320-monitor-checks.js';
import { MonitorRunReleases1700000005330 } from './1700000005330-monitor-run-releases.js';
import { MonitorRunReferences1700000005340 } from './1700000005340-monitor-run-references.js';
import { MonitorRunTexts1700000005350 } from './1700000005350-monitor-run-texts.js';
import { AlertResolutions1700000005460 } from './1700000005460-alert-resolutions.js';
import { MonitorCosts1700000005461 } from './1700000005461-monitor-costs.js';
import { TargetNames1700000005462 } from './1700000005462-target-names.js';
import { DeletedGates1700000005550 } from './1700000005550-deleted-gates.js';
import { McpReleases1700000009203 } from './1700000009203-mcp-releases.js';
import { McpReleasesIndex1700000009213 } from './1700000009213-mcp-releases-index.js';
import { MonitorRunLists1700000009572 } from './1700000009572-monitor-run-lists.js';
import { MonitorRunsOfVersion1700000009622 } from './1700000009622-monitor-runs-of-version.js';
import { MonitorRunCounts1700000009645 } from './1700000009645-monitor-run-counts.js';
import { CountedMonitorRuns1700000009646 } from './1700000009646-counted-monitor-runs.js';
import { MonitorRunsNotPassed1700000009654 } from './1700000009654-monitor-runs-not-passed.js';

/** The schema of the service with its migrations, in the order in which they were added. */
export const schema: Migration = {
  service: 'monitors',
  migrations: [
    Monitors1700000005000,
    MonitorRuns1700000005100,
    MonitorAlerts1700000005200,
    MonitorActivations1700000005310,
    MonitorChecks1700000005320,
    MonitorRunReleases1700000005330,
    MonitorRunReferences1700000005340,
    MonitorRunTexts1700000005350,
    AlertResolutions1700000005460,
    MonitorCosts1700000005461,
    TargetNames1700000005462,
    DeletedGates1700000005550,
    McpReleases1700000009203,
    McpReleasesIndex1700000009213,
    MonitorRunLists1700000009572,
    MonitorRunsOfVersion1700000009622,
    MonitorRunCounts1700000009645,
    CountedMonitorRuns1700000009646,
    MonitorRunsNotPassed1700000009654,
  ],
};
