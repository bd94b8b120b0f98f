import { Module } from '@nestjs/common';
import { ArtifactsModule } from '../artifacts/index.js';
import { DraftsModule } from '../drafts/index.js';
import { ScriptsModule } from '../scripts/index.js';
import { VersionsModule } from '../versions/index.js';
import { WorkflowsModule } from '../workflows/index.js';
import { ManifestHandlers } from './manifests.handlers.js';
import { Manifests } from './manifests.repository.js';

@Module({
  imports: [ArtifactsModule, DraftsModule, ScriptsModule, VersionsModule, WorkflowsModule],
  controllers: [ManifestHandlers],
  providers: [Manifests],
})
export class ManifestsModule {}
