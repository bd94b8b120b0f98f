import type { Migration } from '@signalbox/database';
import { Accounts1700000001000 } from './1700000001000-accounts.js';
import { RotatedKeys1700000001100 } from './1700000001100-rotated-keys.js';
import { Webhooks1700000001200 } from './1700000001200-webhooks.js';
import { WebhookSubscriptions1700000001300 } from './1700000001300-webhook-subscriptions.js';
import { AuditRetention1700000001460 } from './1700000001460-audit-retention.js';
import { AuditIndexes1700000001461 } from './1700000001461-audit-indexes.js';
import { PortalSessions1700000001600 } from './1700000001600-portal-sessions.js';
import { KeyHmacs1700000001610 } from './1700000001610-key-hmacs.js';
import { FormerPeppers1700000009540 } from './1700000009540-former-peppers.js';
import { IdleSessions1700000009550 } from './1700000009550-idle-sessions.js';
import { AuditActions1700000009585 } from './1700000009585-audit-actions.js';

/** The schema of the service with its migrations, in the order in which they were added. */
export const schema: Migration = {
  service: 'accounts',
  migrations: [
    Accounts1700000001000,
    RotatedKeys1700000001100,
    Webhooks1700000001200,
    WebhookSubscriptions1700000001300,
    AuditRetention1700000001460,
    AuditIndexes1700000001461,
    PortalSessions1700000001600,
    KeyHmacs1700000001610,
    FormerPeppers1700000009540,
    IdleSessions1700000009550,
    AuditActions1700000009585,
  ],
};
