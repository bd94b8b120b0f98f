import type { apiKeys } from './api-keys.js';
import type { auditLog } from './audit-log.js';
import type { companies } from './companies.js';
import type { eventFeed } from './event-feed.js';
import type { identities } from './identities.js';
import type { operator } from './operator.js';
import type { portalLogins, portalSessions } from './portal-sessions.js';
import type { webhookDeliveries } from './webhook-deliveries.js';
import type { webhooks } from './webhooks.js';

export * from './api-keys.js';
export * from './audit-log.js';
export * from './companies.js';
export * from './event-feed.js';
export * from './identities.js';
export * from './operator.js';
export * from './portal-sessions.js';
export * from './webhook-deliveries.js';
export * from './webhooks.js';

/** One of the contracts of this folder, with the types of its endpoints. */
export type AccountContract =
  | typeof companies
  | typeof apiKeys
  | typeof auditLog
  | typeof webhooks
  | typeof webhookDeliveries
  | typeof eventFeed
  | typeof identities
  | typeof operator
  | typeof portalSessions
  | typeof portalLogins;
