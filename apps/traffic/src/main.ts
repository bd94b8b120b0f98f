import { serve } from '@signalbox/bus';
import { PROCESS_SETTINGS, readSettings } from '@signalbox/platform';
import { TrafficModule } from './traffic.module.js';

const settings = readSettings([
  ...PROCESS_SETTINGS,
  'NATS_URL',
  'DATABASE_URL',
  'WORKER_DATABASE_URL',
  'PROVIDER_SEAL_KEY',
  'DATA_DIR',
  'OBJECT_STORE_URL',
  'EGRESS_ALLOW',
]);
await serve('traffic', TrafficModule.with(settings), settings);
