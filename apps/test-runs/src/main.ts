import { serve } from '@signalbox/bus';
import { PROCESS_SETTINGS, readSettings } from '@signalbox/platform';
import { TestRunsModule } from './test-runs.module.js';

const settings = readSettings([
  ...PROCESS_SETTINGS,
  'NATS_URL',
  'DATABASE_URL',
  'WORKER_DATABASE_URL',
  'COMPANY_JOBS_AT_ONCE',
]);
await serve('test-runs', TestRunsModule.with(settings), settings);
