import { serve } from '@signalbox/bus';
import { migrateService } from '@signalbox/database';
import { PROCESS_SETTINGS, readSettings } from '@signalbox/platform';
import { MonitorsModule } from './monitors.module.js';
import { MonitorActivations1700000005310 } from './migrations/1700000005310-monitor-activations.js';
import { MonitorAlerts1700000005200 } from './migrations/1700000005200-monitor-alerts.js';
import { MonitorChecks1700000005320 } from './migrations/1700000005320-monitor-checks.js';
import { MonitorRunReleases1700000005330 } from './migrations/1700000005330-monitor-run-releases.js';
import { MonitorRuns1700000005100 } from './migrations/1700000005100-monitor-runs.js';
import { Monitors1700000005000 } from './migrations/1700000005000-monitors.js';

if (process.argv[2] === 'migrate') {
  await migrateService({
    service: 'monitors',
    migrations: [
      Monitors1700000005000,
      MonitorRuns1700000005100,
      MonitorAlerts1700000005200,
      MonitorActivations1700000005310,
      MonitorChecks1700000005320,
      MonitorRunReleases1700000005330,
    ],
  });
} else {
  const settings = readSettings([...PROCESS_SETTINGS, 'NATS_URL', 'DATABASE_URL', 'WORKER_DATABASE_URL']);
  await serve('monitors', MonitorsModule.with(settings), settings);
}
