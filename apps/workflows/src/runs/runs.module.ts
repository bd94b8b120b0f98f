import { Module } from '@nestjs/common';
import { RunsModule } from '@signalbox/runs';
import { RunBudgets } from './budget/run-budgets.repository.js';
import { ChildRows } from './child-rows.repository.js';
import { RunPayloadHandlers } from './payloads/run-payloads.handlers.js';
import { RunPayloads } from './payloads/run-payloads.repository.js';
import { RunCancellations } from './run-cancellations.js';
import { RunProgress } from './run-progress.repository.js';
import { RunReader } from './run-reader.repository.js';
import { StartedWorkflowRuns } from './started-workflow-runs.js';
import { WorkflowRuns } from './workflow-runs.repository.js';

const WORKFLOW_RUNS = RunsModule.forRuns(WorkflowRuns);

@Module({
  imports: [WORKFLOW_RUNS],
  controllers: [RunPayloadHandlers],
  providers: [ChildRows, RunBudgets, RunCancellations, RunPayloads, RunProgress, RunReader, StartedWorkflowRuns],
  exports: [ChildRows, RunBudgets, RunCancellations, RunProgress, RunReader, StartedWorkflowRuns, WORKFLOW_RUNS],
})
export class WorkflowRunsModule {}
