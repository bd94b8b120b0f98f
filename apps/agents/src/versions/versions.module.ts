import { Module } from '@nestjs/common';
import { ReleaseGateClient } from '@signalbox/clients';
import { ActionsModule } from '../actions/index.js';
import { DraftsModule } from '../drafts/index.js';
import { FormFieldsModule } from '../form-fields/index.js';
import { McpServersModule } from '../mcp-servers/index.js';
import { ModelsModule } from '../models/index.js';
import { RoutingModule } from '../routing/index.js';
import { SubAgentsModule } from '../sub-agents/index.js';
import { AgentVersionHandlers } from './agent-versions.handlers.js';
import { AllReleasesHandlers } from './all-releases.handlers.js';
import { DraftParts } from './draft-parts.repository.js';
import { AgentReleases } from './releases.repository.js';
import { AgentVersions } from './versions.repository.js';

@Module({
  imports: [
    ActionsModule,
    DraftsModule,
    FormFieldsModule,
    McpServersModule,
    ModelsModule,
    RoutingModule,
    SubAgentsModule,
  ],
  controllers: [AgentVersionHandlers, AllReleasesHandlers],
  providers: [AgentReleases, AgentVersions, DraftParts, ReleaseGateClient],
  exports: [AgentReleases, AgentVersions, DraftParts],
})
export class VersionsModule {}
