import { Module } from '@nestjs/common';
import { DraftsModule } from '../drafts/index.js';
import { RoutingModule } from '../routing/index.js';
import { LinkTargets } from './link-targets.repository.js';
import { SubAgentHandlers } from './sub-agents.handlers.js';
import { SubAgents } from './sub-agents.repository.js';

@Module({
  imports: [DraftsModule, RoutingModule],
  controllers: [SubAgentHandlers],
  providers: [LinkTargets, SubAgents],
  exports: [LinkTargets, SubAgents],
})
export class SubAgentsModule {}
