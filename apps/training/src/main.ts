import { serve } from '@signalbox/bus';
import { PROCESS_SETTINGS, readSettings } from '@signalbox/platform';
import { TrainingModule } from './training.module.js';

const settings = readSettings([
  ...PROCESS_SETTINGS,
  'NATS_URL',
  'DATABASE_URL',
  'WORKER_DATABASE_URL',
  'COMPANY_JOBS_AT_ONCE',
]);
await serve('training', TrainingModule.with(settings), settings);
