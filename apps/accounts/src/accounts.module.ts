import { type DynamicModule, Module } from '@nestjs/common';
import { BusModule } from '@signalbox/bus';
import { Database, DatabaseModule } from '@signalbox/database';
import { Egress } from '@signalbox/egress';
import type { Settings } from '@signalbox/platform';
import { ApiKeysModule, FormerPepper, formerPeppers, Pepper, type Peppers } from './api-keys/index.js';
import { AuditModule, AuditRetentionDays } from './audit/index.js';
import { BackupsModule } from './backups/index.js';
import { CompaniesModule } from './companies/index.js';
import { ENTITIES } from './entities.js';
import { schema } from './migrations/index.js';
import { EventsModule } from './events/index.js';
import { NameHandlers } from './names.handlers.js';
import { PortalSessionsModule } from './portal-sessions/index.js';
import { OperatorEgressAllowList, WebhookSeal, WebhooksModule } from './webhooks/index.js';
import { accountJobs } from './jobs.js';

const FORMER_PEPPERS = 'the peppers of former master keys';

@Module({})
export class AccountsModule {
  static with(
    settings: Settings<
      | 'NATS_URL'
      | 'DATABASE_URL'
      | 'WORKER_DATABASE_URL'
      | 'API_KEY_PEPPER'
      | 'KEY_PEPPER'
      | 'WEBHOOK_SEAL_KEY'
      | 'EGRESS_ALLOW'
      | 'AUDIT_RETENTION_DAYS'
    >,
  ): DynamicModule {
    return {
      module: AccountsModule,
      global: true,
      imports: [
        BusModule.forService({ name: 'accounts', url: settings.NATS_URL, database: true, jobs: accountJobs }),
        DatabaseModule.forService({
          service: 'accounts',
          url: settings.DATABASE_URL,
          workerUrl: settings.WORKER_DATABASE_URL,
          entities: ENTITIES,
          schema,
        }),
        ApiKeysModule,
        AuditModule,
        BackupsModule,
        EventsModule,
        PortalSessionsModule,
        CompaniesModule,
        WebhooksModule,
      ],
      controllers: [NameHandlers],
      providers: [
        { provide: AuditRetentionDays, useValue: new AuditRetentionDays(settings.AUDIT_RETENTION_DAYS) },
        { provide: WebhookSeal, useValue: new WebhookSeal(settings.WEBHOOK_SEAL_KEY) },
        { provide: OperatorEgressAllowList, useValue: new OperatorEgressAllowList(settings.EGRESS_ALLOW) },
        { provide: Egress, useFactory: () => new Egress({ allow: settings.EGRESS_ALLOW }) },
        {
          provide: FORMER_PEPPERS,
          inject: [Database],
          useFactory: (db: Database) => formerPeppers(db, settings.WEBHOOK_SEAL_KEY),
        },
        {
          provide: Pepper,
          inject: [FORMER_PEPPERS],
          useFactory: (former: Peppers[]) =>
            new Pepper([...settings.API_KEY_PEPPER, ...former.map((each) => each.API_KEY_PEPPER)]),
        },
        {
          provide: FormerPepper,
          inject: [FORMER_PEPPERS],
          useFactory: (former: Peppers[]) =>
            new FormerPepper([...settings.KEY_PEPPER, ...former.map((each) => each.KEY_PEPPER)]),
        },
      ],
      exports: [AuditRetentionDays, WebhookSeal, OperatorEgressAllowList, Egress, Pepper, FormerPepper],
    };
  }
}
