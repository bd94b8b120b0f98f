import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/index.js';
import { PortalLoginHandlers, PortalSessionHandlers } from './portal-sessions.handlers.js';
import { PortalSessions } from './portal-sessions.repository.js';

@Module({
  imports: [ApiKeysModule],
  controllers: [PortalLoginHandlers, PortalSessionHandlers],
  providers: [PortalSessions],
  exports: [PortalSessions],
})
export class PortalSessionsModule {}
