import { type DynamicModule, Module } from '@nestjs/common';
import { BusModule } from '@signalbox/bus';
import { DatabaseModule } from '@signalbox/database';
import { Egress } from '@signalbox/egress';
import { ObjectsModule } from '@signalbox/objects';
import type { Settings } from '@signalbox/platform';
import { RunWorkSettings } from '@signalbox/runs';
import { ArtifactsModule } from './artifacts/index.js';
import { DraftsModule } from './drafts/index.js';
import { ENTITIES } from './entities.js';
import { schema } from './migrations/index.js';
import { HostModule } from './host/index.js';
import { ExecuteLimit, InvocationsModule } from './invocations/index.js';
import { ManifestsModule } from './manifests/index.js';
import { NameHandlers } from './names.handlers.js';
import { RunLoopModule } from './run-loop/index.js';
import { WorkflowRunsModule } from './runs/index.js';
import { ScriptsModule } from './scripts/index.js';
import { SessionsModule } from './sessions/index.js';
import { StoredObjectsModule } from './stored-objects/index.js';
import { VersionsModule } from './versions/index.js';
import { WorkflowsModule } from './workflows/index.js';
import { workflowJobs } from './jobs.js';

type WorkflowSettings = Settings<
  | 'NATS_URL'
  | 'DATABASE_URL'
  | 'WORKER_DATABASE_URL'
  | 'EGRESS_ALLOW'
  | 'INVOKE_TIMEOUT_SECONDS'
  | 'COMPANY_JOBS_AT_ONCE'
  | 'DATA_DIR'
  | 'OBJECT_STORE_URL'
>;

@Module({})
export class WorkflowsServiceModule {
  static with(settings: WorkflowSettings): DynamicModule {
    return {
      module: WorkflowsServiceModule,
      global: true,
      imports: [
        BusModule.forService({ name: 'workflows', url: settings.NATS_URL, database: true, jobs: workflowJobs }),
        DatabaseModule.forService({
          service: 'workflows',
          url: settings.DATABASE_URL,
          workerUrl: settings.WORKER_DATABASE_URL,
          entities: ENTITIES,
          schema,
        }),
        ObjectsModule.forService('workflows', settings),
        StoredObjectsModule,
        ScriptsModule,
        DraftsModule,
        VersionsModule,
        SessionsModule,
        WorkflowRunsModule,
        ArtifactsModule,
        HostModule,
        InvocationsModule,
        RunLoopModule.with(new RunWorkSettings(settings.COMPANY_JOBS_AT_ONCE || undefined)),
        WorkflowsModule,
        ManifestsModule,
      ],
      controllers: [NameHandlers],
      providers: [
        { provide: Egress, useFactory: () => new Egress({ allow: settings.EGRESS_ALLOW }) },
        { provide: ExecuteLimit, useValue: new ExecuteLimit(settings.INVOKE_TIMEOUT_SECONDS * 1000) },
      ],
      exports: [Egress, ExecuteLimit],
    };
  }
}
