import { serve } from '@signalbox/bus';
import { PROCESS_SETTINGS, readSettings } from '@signalbox/platform';
import { AgentsModule } from './agents.module.js';

const settings = readSettings([
  ...PROCESS_SETTINGS,
  'NATS_URL',
  'DATABASE_URL',
  'WORKER_DATABASE_URL',
  'EGRESS_ALLOW',
  'PUBLIC_URL',
  'COMPANY_JOBS_AT_ONCE',
  'HOST',
  'PORT',
]);
await serve('agents', AgentsModule.with(settings), settings);
