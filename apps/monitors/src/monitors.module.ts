import { type DynamicModule, Module } from '@nestjs/common';
import { BusModule } from '@signalbox/bus';
import { DatabaseModule } from '@signalbox/database';
import type { Settings } from '@signalbox/platform';
import { ActivityModule } from './activity/index.js';
import { AlertsModule } from './alerts/index.js';
import { BudgetsModule } from './budgets/index.js';
import { ChecksModule } from './checks/index.js';
import { ENTITIES } from './entities.js';
import { schema } from './migrations/index.js';
import { JudgingModule } from './judging/index.js';
import { MonitorsModule } from './monitors/index.js';
import { NameHandlers } from './names.handlers.js';
import { PreviewsModule } from './previews/index.js';
import { ReleasesModule } from './releases/index.js';
import { RunsModule } from './runs/index.js';
import { SamplingModule } from './sampling/index.js';
import { TargetsModule } from './targets/index.js';
import { VersionsModule } from './versions/index.js';
import { monitorJobs } from './jobs.js';

type MonitorSettings = Settings<'NATS_URL' | 'DATABASE_URL' | 'WORKER_DATABASE_URL'>;

/** A feature comes after those that it uses. */
@Module({})
export class MonitorsServiceModule {
  static with(settings: MonitorSettings): DynamicModule {
    return {
      module: MonitorsServiceModule,
      imports: [
        BusModule.forService({ name: 'monitors', url: settings.NATS_URL, database: true, jobs: monitorJobs }),
        DatabaseModule.forService({
          service: 'monitors',
          url: settings.DATABASE_URL,
          workerUrl: settings.WORKER_DATABASE_URL,
          entities: ENTITIES,
          schema,
        }),
        BudgetsModule,
        MonitorsModule,
        VersionsModule,
        ActivityModule,
        AlertsModule,
        JudgingModule,
        ChecksModule,
        ReleasesModule,
        TargetsModule,
        SamplingModule,
        RunsModule,
        PreviewsModule,
      ],
      controllers: [NameHandlers],
    };
  }
}
