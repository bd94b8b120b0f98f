import { Module } from '@nestjs/common';
import { DraftsModule } from '../drafts/index.js';
import { StoredObjectsModule } from '../stored-objects/index.js';
import { WorkflowRunsModule } from '../runs/index.js';
import { ArtifactContents } from './artifact-contents.repository.js';
import { ArtifactHandlers } from './artifacts.handlers.js';
import { Artifacts } from './artifacts.repository.js';

@Module({
  imports: [DraftsModule, StoredObjectsModule, WorkflowRunsModule],
  controllers: [ArtifactHandlers],
  providers: [ArtifactContents, Artifacts],
  exports: [ArtifactContents, Artifacts],
})
export class ArtifactsModule {}
