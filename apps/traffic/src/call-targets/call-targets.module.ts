import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/index.js';
import { CallTargetChangesModule } from '../call-target-changes/index.js';
import { ModelsModule } from '../models/index.js';
import { ProvidersModule } from '../providers/index.js';
import { CallTargets } from './call-targets.js';

@Module({
  imports: [ApplicationsModule, CallTargetChangesModule, ModelsModule, ProvidersModule],
  providers: [CallTargets],
  exports: [CallTargets],
})
export class CallTargetsModule {}
