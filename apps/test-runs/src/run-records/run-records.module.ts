import { Module } from '@nestjs/common';
import { RunsModule } from '@signalbox/runs';
import { RunProgressEvents } from './progress.repository.js';
import { TestRuns } from './test-run-kind.js';
import { TestRunRows } from './test-runs.repository.js';

const TEST_RUNS = RunsModule.forRuns(TestRuns);

@Module({
  imports: [TEST_RUNS],
  providers: [RunProgressEvents, TestRunRows],
  exports: [RunProgressEvents, TEST_RUNS, TestRunRows],
})
export class RunRecordsModule {}
