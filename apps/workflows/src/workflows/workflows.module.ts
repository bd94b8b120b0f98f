import { Module } from '@nestjs/common';
import { ArtifactsModule } from '../artifacts/index.js';
import { DraftsModule } from '../drafts/index.js';
import { WorkflowRunsModule } from '../runs/index.js';
import { ScriptsModule } from '../scripts/index.js';
import { VersionsModule } from '../versions/index.js';
import { ApplicationBindings } from './application-bindings.js';
import { ApplicationWorkflowHandlers } from './application-workflows.handlers.js';
import { WorkflowDeletion } from './workflow-deletion.js';
import { WorkflowLinkHandlers } from './workflow-links.handlers.js';
import { WorkflowWrites } from './workflow-writes.js';
import { WorkflowHandlers } from './workflows.handlers.js';

@Module({
  imports: [ArtifactsModule, DraftsModule, ScriptsModule, VersionsModule, WorkflowRunsModule],
  controllers: [ApplicationWorkflowHandlers, WorkflowHandlers, WorkflowLinkHandlers],
  providers: [ApplicationBindings, WorkflowDeletion, WorkflowWrites],
  exports: [WorkflowWrites],
})
export class WorkflowsModule {}
