import { Module } from '@nestjs/common';
import { ReleaseGateClient } from '@signalbox/clients';
import { DraftsModule } from '../drafts/index.js';
import { ScriptsModule } from '../scripts/index.js';
import { WorkflowReleases } from './releases.repository.js';
import { WorkflowVersions } from './versions.repository.js';
import { WorkflowVersionHandlers } from './workflow-versions.handlers.js';

@Module({
  imports: [DraftsModule, ScriptsModule],
  controllers: [WorkflowVersionHandlers],
  providers: [ReleaseGateClient, WorkflowReleases, WorkflowVersions],
  exports: [WorkflowReleases, WorkflowVersions],
})
export class VersionsModule {}
