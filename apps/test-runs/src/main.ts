import { serve } from '@signalbox/bus';
import { migrateService } from '@signalbox/database';
import { PROCESS_SETTINGS, readSettings } from '@signalbox/platform';
import { EvaluationCriteria1700000005000 } from './migrations/1700000005000-evaluation-criteria.js';
import { UploadParts1700000005150 } from './migrations/1700000005150-upload-parts.js';
import { TestSets1700000005100 } from './migrations/1700000005100-test-sets.js';
import { TestRuns1700000005500 } from './migrations/1700000005500-test-runs.js';
import { ItemUpdates1700000005600 } from './migrations/1700000005600-item-updates.js';
import { TestRunsModule } from './test-runs.module.js';

if (process.argv[2] === 'migrate') {
  const migrations = [
    EvaluationCriteria1700000005000,
    TestSets1700000005100,
    UploadParts1700000005150,
    TestRuns1700000005500,
    ItemUpdates1700000005600,
  ];
  await migrateService({ service: 'test-runs', migrations });
} else {
  const settings = readSettings([
    ...PROCESS_SETTINGS,
    'NATS_URL',
    'DATABASE_URL',
    'WORKER_DATABASE_URL',
    'COMPANY_JOBS_AT_ONCE',
  ]);
  await serve('test-runs', TestRunsModule.with(settings), settings);
}
