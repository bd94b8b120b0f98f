import { Module } from '@nestjs/common';
import { IntentGroups } from './intent-groups.repository.js';

/** Groups of intents. */
@Module({ providers: [IntentGroups], exports: [IntentGroups] })
export class IntentGroupsModule {}
