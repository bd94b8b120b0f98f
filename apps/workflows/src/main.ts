import { serve } from '@signalbox/bus';
import { migrateService } from '@signalbox/database';
import { PROCESS_SETTINGS, readSettings } from '@signalbox/platform';
import { Workflows1700000008000 } from './migrations/1700000008000-workflows.js';
import { Artifacts1700000008200 } from './migrations/1700000008200-artifacts.js';
import { ArtifactParts1700000008300 } from './migrations/1700000008300-artifact-parts.js';
import { RunLists1700000008400 } from './migrations/1700000008400-run-lists.js';
import { Runs1700000008100 } from './migrations/1700000008100-runs.js';
import { WorkflowsModule } from './workflows.module.js';

if (process.argv[2] === 'migrate') {
  await migrateService({
    service: 'workflows',
    migrations: [
      Workflows1700000008000,
      Runs1700000008100,
      Artifacts1700000008200,
      ArtifactParts1700000008300,
      RunLists1700000008400,
    ],
  });
} else {
  const settings = readSettings([
    ...PROCESS_SETTINGS,
    'NATS_URL',
    'DATABASE_URL',
    'WORKER_DATABASE_URL',
    'EGRESS_ALLOW',
    'COMPANY_JOBS_AT_ONCE',
    'DATA_DIR',
    'OBJECT_STORE_URL',
  ]);
  await serve('workflows', WorkflowsModule.with(settings), settings);
}
