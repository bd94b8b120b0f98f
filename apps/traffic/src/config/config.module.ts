import { Module } from '@nestjs/common';
import { EvaluationModule } from '@signalbox/conditions';
import { CallTargetChangesModule } from '../call-target-changes/index.js';
import { ProvidersModule } from '../providers/index.js';
import { ConfigLayers } from './config-layers.repository.js';
import { Configs } from './configs.js';
import { NamedWorkflows } from './named-workflows.js';

@Module({
  imports: [CallTargetChangesModule, EvaluationModule, ProvidersModule],
  providers: [ConfigLayers, Configs, NamedWorkflows],
  exports: [ConfigLayers, Configs],
})
export class ConfigModule {}
