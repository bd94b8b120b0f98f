import { Module } from '@nestjs/common';
import { EvaluationModule } from '@signalbox/conditions';
import { DraftsModule } from '../drafts/index.js';
import { McpServersModule } from '../mcp-servers/index.js';
import { ModelsModule } from '../models/index.js';
import { TasksModule } from '../tasks/index.js';
import { VersionsModule } from '../versions/index.js';
import { AgentDeletion } from './agent-deletion.js';
import { AgentLinkHandlers } from './agent-links.handlers.js';
import { AgentHandlers } from './agents.handlers.js';

@Module({
  imports: [DraftsModule, EvaluationModule, McpServersModule, ModelsModule, TasksModule, VersionsModule],
  controllers: [AgentHandlers, AgentLinkHandlers],
  providers: [AgentDeletion],
})
export class AgentsModule {}
