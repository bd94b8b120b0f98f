import { Module } from '@nestjs/common';
import { ConsumersModule } from '../consumers/index.js';
import { ImportsModule } from '../imports/index.js';
import { ItemsModule } from '../items/index.js';
import { RunComparisonModule } from '../run-comparison/index.js';
import { RunRecordsModule } from '../run-records/index.js';
import { RunsModule } from '../runs/index.js';
import { ScoringModule } from '../scoring/index.js';
import { SetsModule } from '../sets/index.js';
import { LegacyRunHandlers } from './legacy-runs.handlers.js';
import { LegacyRuns } from './legacy-runs.repository.js';
import { LegacySetHandlers } from './legacy-sets.handlers.js';
import { LegacySets } from './legacy-sets.repository.js';

@Module({
  imports: [
    ConsumersModule,
    ImportsModule,
    ItemsModule,
    RunComparisonModule,
    RunRecordsModule,
    RunsModule,
    ScoringModule,
    SetsModule,
  ],
  controllers: [LegacySetHandlers, LegacyRunHandlers],
  providers: [LegacyRuns, LegacySets],
})
export class LegacyModule {}
