import { Module } from '@nestjs/common';
import { IntentGroups } from './intent-groups.repository.js';

@Module({ providers: [IntentGroups], exports: [IntentGroups] })
export class IntentGroupsModule {}
