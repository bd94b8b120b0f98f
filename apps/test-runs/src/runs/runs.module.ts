import { Module } from '@nestjs/common';
import { ConsumersModule } from '../consumers/index.js';
import { RunComparisonModule } from '../run-comparison/index.js';
import { RunItemsModule } from '../run-items/index.js';
import { RunRecordsModule } from '../run-records/index.js';
import { ScoringModule } from '../scoring/index.js';
import { SetsModule } from '../sets/index.js';
import { CancelWorker } from './cancel-worker.js';
import { TestRunLifecycle } from './test-run-lifecycle.repository.js';
import { Preparations } from './preparation.repository.js';
import { RunStarts } from './run-starts.repository.js';
import { TestSetItemInputs } from './test-set-item-inputs.repository.js';
import { TestRunHandlers } from './test-runs.handlers.js';

@Module({
  imports: [ConsumersModule, RunComparisonModule, RunItemsModule, RunRecordsModule, ScoringModule, SetsModule],
  controllers: [TestRunHandlers],
  providers: [CancelWorker, TestRunLifecycle, Preparations, RunStarts, TestSetItemInputs],
  exports: [CancelWorker, TestRunLifecycle, RunStarts],
})
export class RunsModule {}
