import { type DynamicModule, Module } from '@nestjs/common';
import { BusModule } from '@signalbox/bus';
import { DatabaseModule } from '@signalbox/database';
import { Egress } from '@signalbox/egress';
import type { Settings } from '@signalbox/platform';
import { ENTITIES } from './entities.js';
import { NameHandlers } from './names.handlers.js';
import { ApiKeyHandlers } from './api-keys/api-keys.handlers.js';
import { ApiKeys, Pepper } from './api-keys/api-keys.repository.js';
import { AuditLogHandlers } from './audit/audit-log.handlers.js';
import { AuditLog } from './audit/audit-log.repository.js';
import { AuditRetention, AuditRetentionDays } from './audit/audit-retention.worker.js';
import { CompanyHandlers } from './companies/companies.handlers.js';
import { Companies } from './companies/companies.repository.js';
import { Attempts } from './deliveries/attempts.repository.js';
import { DeliveryHandlers } from './deliveries/deliveries.handlers.js';
import { Deliveries } from './deliveries/deliveries.repository.js';
import { DeliverySender } from './deliveries/delivery-sender.js';
import { DeliveryWorker } from './deliveries/delivery-worker.js';
import { EventFeedHandlers } from './events/event-feed.handlers.js';
import { EventLog } from './events/event-log.js';
import { PortalLoginHandlers, PortalSessionHandlers } from './portal-sessions/portal-sessions.handlers.js';
import { PortalSessions } from './portal-sessions/portal-sessions.repository.js';
import { WebhookSeal } from './webhooks/webhook-secrets.js';
import { OperatorAllows, WebhookTargets } from './webhooks/webhook-targets.js';
import { WebhookHandlers } from './webhooks/webhooks.handlers.js';
import { Webhooks } from './webhooks/webhooks.repository.js';
import { IdentityHandlers } from './companies/identities.handlers.js';
import { OperatorHandlers } from './companies/operator.handlers.js';

/** Companies, API keys, the audit log and webhooks. */
@Module({})
export class AccountsModule {
  static with(
    settings: Settings<
      | 'NATS_URL'
      | 'DATABASE_URL'
      | 'WORKER_DATABASE_URL'
      | 'KEY_PEPPER'
      | 'WEBHOOK_SEAL_KEY'
      | 'EGRESS_ALLOW'
      | 'AUDIT_RETENTION_DAYS'
    >,
  ): DynamicModule {
    return {
      module: AccountsModule,
      imports: [
        BusModule.forService({ name: 'accounts', url: settings.NATS_URL, database: true }),
        DatabaseModule.forService({
          service: 'accounts',
          url: settings.DATABASE_URL,
          workerUrl: settings.WORKER_DATABASE_URL,
          entities: ENTITIES,
        }),
      ],
      controllers: [
        CompanyHandlers,
        ApiKeyHandlers,
        IdentityHandlers,
        OperatorHandlers,
        AuditLogHandlers,
        WebhookHandlers,
        DeliveryHandlers,
        EventFeedHandlers,
        NameHandlers,
        PortalSessionHandlers,
        PortalLoginHandlers,
      ],
      providers: [
        Companies,
        ApiKeys,
        AuditLog,
        AuditRetention,
        { provide: AuditRetentionDays, useValue: new AuditRetentionDays(settings.AUDIT_RETENTION_DAYS) },
        EventLog,
        PortalSessions,
        Webhooks,
        WebhookTargets,
        Deliveries,
        Attempts,
        DeliverySender,
        DeliveryWorker,
        { provide: WebhookSeal, useValue: new WebhookSeal(settings.WEBHOOK_SEAL_KEY) },
        { provide: OperatorAllows, useValue: new OperatorAllows(settings.EGRESS_ALLOW) },
        { provide: Egress, useFactory: () => new Egress({ allow: settings.EGRESS_ALLOW }) },
        { provide: Pepper, useValue: new Pepper(settings.KEY_PEPPER) },
      ],
    };
  }
}
