import { Module } from '@nestjs/common';
import { AnalyticsHandlers } from './analytics.handlers.js';
import { Analytics } from './analytics.js';
import { RollupFolds } from './rollup-folds.worker.js';
import { Rollups } from './rollups.repository.js';
import { SeriesLabels } from './series-labels.repository.js';

@Module({
  controllers: [AnalyticsHandlers],
  providers: [Analytics, RollupFolds, Rollups, SeriesLabels],
  exports: [Analytics, Rollups],
})
export class AnalyticsModule {}
