import { serve } from '@signalbox/bus';
import { migrateService } from '@signalbox/database';
import { PROCESS_SETTINGS, readSettings } from '@signalbox/platform';
import { Compositions1700000007100 } from './migrations/1700000007100-compositions.js';
import { Datasets1700000007000 } from './migrations/1700000007000-datasets.js';
import { FinetuneRuns1700000007200 } from './migrations/1700000007200-finetune-runs.js';
import { Augmentations1700000007300 } from './migrations/1700000007300-augmentations.js';
import { TrainingModule } from './training.module.js';

if (process.argv[2] === 'migrate') {
  await migrateService({
    service: 'training',
    migrations: [
      Datasets1700000007000,
      Compositions1700000007100,
      FinetuneRuns1700000007200,
      Augmentations1700000007300,
    ],
  });
} else {
  const settings = readSettings([
    ...PROCESS_SETTINGS,
    'NATS_URL',
    'DATABASE_URL',
    'WORKER_DATABASE_URL',
    'COMPANY_JOBS_AT_ONCE',
  ]);
  await serve('training', TrainingModule.with(settings), settings);
}
