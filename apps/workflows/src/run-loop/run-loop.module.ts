import { type DynamicModule, Module } from '@nestjs/common';
import { EvaluationModule } from '@signalbox/conditions';
import { provideRuns, runWorkProviders, type RunWorkSettings } from '@signalbox/runs';
import { HostModule } from '../host/index.js';
import { WorkflowRuns, WorkflowRunsModule } from '../runs/index.js';
import { ScriptsModule } from '../scripts/index.js';
import { SessionsModule } from '../sessions/index.js';
import { RunExecutor } from './run-executor.js';
import { RunTransforms } from './run-transforms.js';
import { WorkflowRunSteps } from './workflow-run-steps.js';

@Module({})
export class RunLoopModule {
  static with(settings: RunWorkSettings): DynamicModule {
    return {
      module: RunLoopModule,
      imports: [EvaluationModule, HostModule, ScriptsModule, SessionsModule, WorkflowRunsModule],
      providers: [
        RunExecutor,
        RunTransforms,
        ...runWorkProviders([provideRuns(WorkflowRuns, WorkflowRunSteps)], settings),
      ],
    };
  }
}
