import { Module } from '@nestjs/common';
import { CallTargetChanges } from './call-target-changes.js';

/** Announces that what calls resolve to has changed. */
@Module({ providers: [CallTargetChanges], exports: [CallTargetChanges] })
export class CallTargetChangesModule {}
