import { Module } from '@nestjs/common';
import { CompositionsModule } from '../compositions/index.js';
import { DatasetsModule } from '../datasets/index.js';
import { GroupTrainingHandlers, IntentDatasetHandlers } from './owned-lists.handlers.js';
import { TrainingLinkHandlers } from './training-links.handlers.js';

@Module({
  imports: [CompositionsModule, DatasetsModule],
  controllers: [IntentDatasetHandlers, GroupTrainingHandlers, TrainingLinkHandlers],
})
export class IntentLinksModule {}
