import { Module } from '@nestjs/common';
import { KnownModels } from './known-models.js';
import { ModelCalls } from './model-calls.js';

@Module({
  providers: [KnownModels, ModelCalls],
  exports: [KnownModels, ModelCalls],
})
export class ModelsModule {}
