import { Module } from '@nestjs/common';
import { ConsumersModule } from '../consumers/index.js';
import { RunComparisonModule } from '../run-comparison/index.js';
import { RunRecordsModule } from '../run-records/index.js';
import { RunsModule } from '../runs/index.js';
import { ScoringModule } from '../scoring/index.js';
import { Baselines } from './baselines.repository.js';
import { EvaluatedRunHandlers } from './evaluated-runs.handlers.js';
import { NamedReleases } from './named-releases.js';

@Module({
  imports: [ConsumersModule, RunComparisonModule, RunRecordsModule, RunsModule, ScoringModule],
  controllers: [EvaluatedRunHandlers],
  providers: [Baselines, NamedReleases],
})
export class EvaluatedRunsModule {}
