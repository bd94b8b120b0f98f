import { Module } from '@nestjs/common';
import { AnalyticsModule } from '../analytics/index.js';
import { CallTargetChangesModule } from '../call-target-changes/index.js';
import { ProvidersModule } from '../providers/index.js';
import { ModelUses } from './model-uses.js';
import { ModelHandlers } from './models.handlers.js';
import { ModelsModule } from './models.module.js';

@Module({
  imports: [AnalyticsModule, CallTargetChangesModule, ModelsModule, ProvidersModule],
  controllers: [ModelHandlers],
  providers: [ModelUses],
})
export class ModelsApiModule {}
