import { Module } from '@nestjs/common';
import { CallTargetChangesModule } from '../call-target-changes/index.js';
import { ModelsModule } from '../models/index.js';
import { ProvidersModule } from '../providers/index.js';
import { FinetuneJobHandlers } from './finetune-jobs.handlers.js';
import { FinetunedModels } from './finetuned-models.repository.js';

@Module({
  imports: [CallTargetChangesModule, ModelsModule, ProvidersModule],
  controllers: [FinetuneJobHandlers],
  providers: [FinetunedModels],
})
export class FinetuningModule {}
