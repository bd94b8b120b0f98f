import { processRoleOf, serve } from '@signalbox/bus';
import { workersOf } from '@signalbox/contracts';
import { PROCESS_SETTINGS, readSettings } from '@signalbox/platform';
import { AgentsServiceModule } from './agents.module.js';

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
const role = processRoleOf(process.argv[2]);
await serve(role === 'worker' ? workersOf('agents') : 'agents', AgentsServiceModule.with(settings, role), settings);
