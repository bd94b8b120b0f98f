import { serve } from '@signalbox/bus';
import { PROCESS_SETTINGS, readSettings } from '@signalbox/platform';
import { WorkflowsServiceModule } from './workflows.module.js';

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
await serve('workflows', WorkflowsServiceModule.with(settings), settings);
