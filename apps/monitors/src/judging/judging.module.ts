import { Module } from '@nestjs/common';
import { EvaluationModule } from '@signalbox/conditions';
import { AlertsModule } from '../alerts/index.js';
import { BudgetsModule } from '../budgets/index.js';
import { Judge } from './judge.js';
import { PendingRuns } from './pending-runs.repository.js';
import { RunJudging } from './run-judging.worker.js';
import { SourceReader } from './source-reader.js';
import { WorkflowRunner } from './workflow-runner.js';

@Module({
  imports: [AlertsModule, BudgetsModule, EvaluationModule],
  providers: [Judge, PendingRuns, RunJudging, SourceReader, WorkflowRunner],
  exports: [Judge, PendingRuns, SourceReader],
})
export class JudgingModule {}
