import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/index.js';
import { CallTargetChangesModule } from '../call-target-changes/index.js';
import { CallTargetsModule } from '../call-targets/index.js';
import { ConfigModule } from '../config/index.js';
import { IntentGroupsModule } from '../intent-groups/index.js';
import { ModelsModule } from '../models/index.js';
import { ProvidersModule } from '../providers/index.js';
import { RequestReadsModule } from '../request-reads/index.js';
import { SessionHistoryModule } from '../session-history/index.js';
import { IntentGroupHandlers } from './intent-groups.handlers.js';
import { IntentHandlers } from './intents.handlers.js';
import { IntentsModule } from './intents.module.js';
import { TrafficLinkHandlers } from './traffic-links.handlers.js';

@Module({
  imports: [
    ApplicationsModule,
    CallTargetChangesModule,
    CallTargetsModule,
    ConfigModule,
    IntentGroupsModule,
    IntentsModule,
    ModelsModule,
    ProvidersModule,
    RequestReadsModule,
    SessionHistoryModule,
  ],
  controllers: [IntentHandlers, IntentGroupHandlers, TrafficLinkHandlers],
})
export class IntentsApiModule {}
