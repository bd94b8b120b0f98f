import { type DynamicModule, Module } from '@nestjs/common';
import { BusModule } from '@signalbox/bus';
import { DatabaseModule } from '@signalbox/database';
import type { Settings } from '@signalbox/platform';
import { ActionRow } from './actions/action.entity.js';
import { ActionHandlers } from './actions/actions.handlers.js';
import { Actions } from './actions/actions.repository.js';
import { AgentRow } from './agents/agent.entity.js';
import { AgentHandlers } from './agents/agents.handlers.js';
import { Agents } from './agents/agents.repository.js';
import { Drafts } from './agents/drafts.repository.js';
import { DraftParts } from './agents/draft-parts.repository.js';
import { FormFieldHandlers } from './form-fields/form-fields.handlers.js';
import { FormFields } from './form-fields/form-fields.repository.js';
import { ManifestHandlers } from './manifests/manifests.handlers.js';
import { Manifests } from './manifests/manifests.repository.js';
import { Router } from './routing/router.js';
import { RoutingHandlers } from './routing/routing.handlers.js';
import { RoutingRules } from './routing/rules.repository.js';
import { SubAgentHandlers } from './sub-agents/sub-agents.handlers.js';
import { SubAgents } from './sub-agents/sub-agents.repository.js';
import { AgentVersionHandlers } from './versions/agent-versions.handlers.js';
import { AgentReleases } from './versions/releases.repository.js';
import { AgentVersions } from './versions/versions.repository.js';

/** Agents, their actions, versions and releases. */
@Module({})
export class AgentsModule {
  static with(settings: Settings<'NATS_URL' | 'DATABASE_URL' | 'WORKER_DATABASE_URL'>): DynamicModule {
    return {
      module: AgentsModule,
      imports: [
        BusModule.forService({ name: 'agents', url: settings.NATS_URL, database: true }),
        DatabaseModule.forService({
          service: 'agents',
          url: settings.DATABASE_URL,
          workerUrl: settings.WORKER_DATABASE_URL,
          entities: [AgentRow, ActionRow],
        }),
      ],
      controllers: [
        AgentHandlers,
        ActionHandlers,
        SubAgentHandlers,
        RoutingHandlers,
        FormFieldHandlers,
        ManifestHandlers,
        AgentVersionHandlers,
      ],
      providers: [
        Drafts,
        Agents,
        Actions,
        SubAgents,
        RoutingRules,
        FormFields,
        DraftParts,
        Router,
        Manifests,
        AgentVersions,
        AgentReleases,
      ],
    };
  }
}
