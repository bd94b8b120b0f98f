import { type DynamicModule, Module } from '@nestjs/common';
import { BusModule } from '@signalbox/bus';
import { DatabaseModule } from '@signalbox/database';
import type { Settings } from '@signalbox/platform';
import { ENTITIES } from './entities.js';
import { ApiKeyHandlers } from './api-keys/api-keys.handlers.js';
import { ApiKeys, Pepper } from './api-keys/api-keys.repository.js';
import { AuditLogHandlers } from './audit/audit-log.handlers.js';
import { AuditLog } from './audit/audit-log.repository.js';
import { CompanyHandlers } from './companies/companies.handlers.js';
import { Companies } from './companies/companies.repository.js';
import { IdentityHandlers } from './companies/identities.handlers.js';
import { OperatorHandlers } from './companies/operator.handlers.js';

/** Companies, API keys and the audit log. */
@Module({})
export class AccountsModule {
  static with(settings: Settings<'NATS_URL' | 'DATABASE_URL' | 'WORKER_DATABASE_URL' | 'KEY_PEPPER'>): DynamicModule {
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
      controllers: [CompanyHandlers, ApiKeyHandlers, IdentityHandlers, OperatorHandlers, AuditLogHandlers],
      providers: [Companies, ApiKeys, AuditLog, { provide: Pepper, useValue: new Pepper(settings.KEY_PEPPER) }],
    };
  }
}
