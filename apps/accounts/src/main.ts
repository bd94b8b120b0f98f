import { serve } from '@signalbox/bus';
import { PROCESS_SETTINGS, readSettings } from '@signalbox/platform';
import { AccountsModule } from './accounts.module.js';

const settings = readSettings([
  ...PROCESS_SETTINGS,
  'NATS_URL',
  'DATABASE_URL',
  'WORKER_DATABASE_URL',
  'API_KEY_PEPPER',
  'KEY_PEPPER',
  'WEBHOOK_SEAL_KEY',
  'EGRESS_ALLOW',
  'AUDIT_RETENTION_DAYS',
]);
await serve('accounts', AccountsModule.with(settings), settings);
