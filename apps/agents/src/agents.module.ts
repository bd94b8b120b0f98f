import { type DynamicModule, Module } from '@nestjs/common';
import { BusModule, type ProcessRole } from '@signalbox/bus';
import { DatabaseModule } from '@signalbox/database';
import { Egress } from '@signalbox/egress';
import type { Settings } from '@signalbox/platform';
import { RunWorkSettings } from '@signalbox/runs';
import { ActionsModule } from './actions/index.js';
import { AgentsModule } from './agents/index.js';
import { DraftsModule } from './drafts/index.js';
import { ENTITIES } from './entities.js';
import { schema } from './migrations/index.js';
import { ExternalModule } from './external/index.js';
import { FormFieldsModule } from './form-fields/index.js';
import { HooksModule, PublicUrl } from './hooks/index.js';
import { InvocationsModule, InvokeLimit } from './invocations/index.js';
import { ManifestsModule } from './manifests/index.js';
import { McpServersModule } from './mcp-servers/index.js';
import { ModelsModule } from './models/index.js';
import { NameHandlers } from './names.handlers.js';
import { RoutingModule } from './routing/index.js';
import { SessionsModule } from './sessions/index.js';
import { SubAgentsModule } from './sub-agents/index.js';
import { TaskLoopModule } from './task-loop/index.js';
import { TasksModule } from './tasks/index.js';
import { VersionsModule } from './versions/index.js';
import { agentJobs } from './jobs.js';

type AgentSettings = Settings<
  | 'NATS_URL'
  | 'DATABASE_URL'
  | 'WORKER_DATABASE_URL'
  | 'EGRESS_ALLOW'
  | 'INVOKE_TIMEOUT_SECONDS'
  | 'COMPANY_JOBS_AT_ONCE'
  | 'PUBLIC_URL'
  | 'HOST'
  | 'PORT'
>;

@Module({})
export class AgentsServiceModule {
  static with(settings: AgentSettings, role: ProcessRole): DynamicModule {
    return {
      module: AgentsServiceModule,
      global: true,
      imports: [
        BusModule.forService({ name: 'agents', url: settings.NATS_URL, database: true, jobs: agentJobs, role }),
        DatabaseModule.forService({
          service: 'agents',
          url: settings.DATABASE_URL,
          workerUrl: settings.WORKER_DATABASE_URL,
          entities: ENTITIES,
          schema,
        }),
        ModelsModule,
        DraftsModule,
        FormFieldsModule,
        RoutingModule,
        McpServersModule,
        ActionsModule,
        SubAgentsModule,
        VersionsModule,
        TasksModule,
        InvocationsModule,
        SessionsModule,
        HooksModule,
        TaskLoopModule.with(new RunWorkSettings(settings.COMPANY_JOBS_AT_ONCE || undefined), role),
        AgentsModule,
        ManifestsModule,
        ExternalModule,
      ],
      controllers: [NameHandlers],
      providers: [
        { provide: Egress, useFactory: () => new Egress({ allow: settings.EGRESS_ALLOW }) },
        {
          provide: PublicUrl,
          useValue: new PublicUrl(settings.PUBLIC_URL || `http://${settings.HOST}:${settings.PORT}`),
        },
        { provide: InvokeLimit, useValue: new InvokeLimit(settings.INVOKE_TIMEOUT_SECONDS * 1000) },
      ],
      exports: [Egress, PublicUrl, InvokeLimit],
    };
  }
}
