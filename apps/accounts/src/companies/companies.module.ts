import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/index.js';
import { PortalSessionsModule } from '../portal-sessions/index.js';
import { CompanyHandlers } from './companies.handlers.js';
import { Companies } from './companies.repository.js';
import { IdentityHandlers } from './identities.handlers.js';
import { OperatorHandlers } from './operator.handlers.js';

@Module({
  imports: [ApiKeysModule, PortalSessionsModule],
  controllers: [CompanyHandlers, IdentityHandlers, OperatorHandlers],
  providers: [Companies],
  exports: [Companies],
})
export class CompaniesModule {}
