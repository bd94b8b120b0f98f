import { Module } from '@nestjs/common';
import { CompanyProfiles } from '@signalbox/clients';
import { EvaluationModule } from '@signalbox/conditions';
import { ArtifactsModule } from '../artifacts/index.js';
import { DraftsModule } from '../drafts/index.js';
import { WorkflowRunsModule } from '../runs/index.js';
import { VersionsModule } from '../versions/index.js';
import { AgentCalls } from './agent-calls.js';
import { ArtifactCalls } from './artifact-calls.js';
import { ChildRuns } from './child-runs.js';
import { HostFunctions } from './host-functions.js';
import { HttpCalls } from './http-calls.js';
import { KeptSteps } from './kept-steps.js';
import { ModelCalls } from './model-calls.js';
import { ModelStreams } from './model-streams.js';
import { SecretReads } from './secret-reads.js';

@Module({
  imports: [ArtifactsModule, DraftsModule, EvaluationModule, VersionsModule, WorkflowRunsModule],
  providers: [
    AgentCalls,
    ArtifactCalls,
    ChildRuns,
    CompanyProfiles,
    HostFunctions,
    HttpCalls,
    KeptSteps,
    ModelCalls,
    ModelStreams,
    SecretReads,
  ],
  exports: [HostFunctions],
})
export class HostModule {}
