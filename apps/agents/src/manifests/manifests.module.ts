import { Module } from '@nestjs/common';
import { EvaluationModule } from '@signalbox/conditions';
import { DraftsModule } from '../drafts/index.js';
import { McpServersModule } from '../mcp-servers/index.js';
import { ModelsModule } from '../models/index.js';
import { SubAgentsModule } from '../sub-agents/index.js';
import { VersionsModule } from '../versions/index.js';
import { AgentCopies } from './agent-copies.repository.js';
import { ManifestWorkflows } from './manifest-workflows.js';
import { ManifestHandlers } from './manifests.handlers.js';
import { Manifests } from './manifests.repository.js';
import { NamedAgents } from './named-agents.repository.js';

@Module({
  imports: [DraftsModule, EvaluationModule, McpServersModule, ModelsModule, SubAgentsModule, VersionsModule],
  controllers: [ManifestHandlers],
  providers: [AgentCopies, Manifests, ManifestWorkflows, NamedAgents],
})
export class ManifestsModule {}
