import { Module } from '@nestjs/common';
import { CallTargetChanges } from './call-target-changes.js';

@Module({ providers: [CallTargetChanges], exports: [CallTargetChanges] })
export class CallTargetChangesModule {}
