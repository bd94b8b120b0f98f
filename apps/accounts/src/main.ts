import { serve } from '@signalbox/bus';
import { migrateService } from '@signalbox/database';
import { PROCESS_SETTINGS, readSettings } from '@signalbox/platform';
import { AccountsModule } from './accounts.module.js';
import { Accounts1700000001000 } from './migrations/1700000001000-accounts.js';
import { Webhooks1700000001200 } from './migrations/1700000001200-webhooks.js';
import { WebhookSubscriptions1700000001300 } from './migrations/1700000001300-webhook-subscriptions.js';
import { RotatedKeys1700000001100 } from './migrations/1700000001100-rotated-keys.js';

if (process.argv[2] === 'migrate') {
  await migrateService({
    service: 'accounts',
    migrations: [
      Accounts1700000001000,
      RotatedKeys1700000001100,
      Webhooks1700000001200,
      WebhookSubscriptions1700000001300,
    ],
  });
} else {
  const settings = readSettings([
    ...PROCESS_SETTINGS,
    'NATS_URL',
    'DATABASE_URL',
    'WORKER_DATABASE_URL',
    'KEY_PEPPER',
    'WEBHOOK_SEAL_KEY',
    'EGRESS_ALLOW',
  ]);
  await serve('accounts', AccountsModule.with(settings), settings);
}
