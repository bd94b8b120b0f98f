import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/index.js';
import { ConfigModule } from '../config/index.js';
import { IntentGroupsModule } from '../intent-groups/index.js';
import { Intents } from './intents.repository.js';

@Module({ imports: [ApplicationsModule, ConfigModule, IntentGroupsModule], providers: [Intents], exports: [Intents] })
export class IntentsModule {}
