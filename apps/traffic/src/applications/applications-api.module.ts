import { Module } from '@nestjs/common';
import { CallTargetChangesModule } from '../call-target-changes/index.js';
import { ConfigModule } from '../config/index.js';
import { ModelsModule } from '../models/index.js';
import { SessionHistoryModule } from '../session-history/index.js';
import { ApplicationHandlers } from './applications.handlers.js';
import { ApplicationsModule } from './applications.module.js';

@Module({
  imports: [ApplicationsModule, CallTargetChangesModule, ConfigModule, ModelsModule, SessionHistoryModule],
  controllers: [ApplicationHandlers],
})
export class ApplicationsApiModule {}
