import { type DynamicModule, Module } from '@nestjs/common';
import { BusModule } from '@signalbox/bus';
import { DatabaseModule } from '@signalbox/database';
import type { Settings } from '@signalbox/platform';
import { RunWorkSettings } from '@signalbox/runs';
import { CompositionsModule } from './compositions/index.js';
import { DatasetsModule } from './datasets/index.js';
import { ENTITIES } from './entities.js';
import { schema } from './migrations/index.js';
import { FilesModule } from './files/index.js';
import { IntentLinksModule } from './intent-links/index.js';
import { NameHandlers } from './names.handlers.js';
import { RequestsModule } from './requests/index.js';
import { TrainingRunsModule } from './training-runs/index.js';

type TrainingSettings = Settings<'NATS_URL' | 'DATABASE_URL' | 'WORKER_DATABASE_URL' | 'COMPANY_JOBS_AT_ONCE'>;

/** A feature comes after those that it uses. */
@Module({})
export class TrainingModule {
  static with(settings: TrainingSettings): DynamicModule {
    return {
      module: TrainingModule,
      imports: [
        BusModule.forService({ name: 'training', url: settings.NATS_URL, database: true }),
        DatabaseModule.forService({
          service: 'training',
          url: settings.DATABASE_URL,
          workerUrl: settings.WORKER_DATABASE_URL,
          entities: ENTITIES,
          schema,
        }),
        DatasetsModule,
        RequestsModule,
        FilesModule,
        CompositionsModule,
        TrainingRunsModule.with(new RunWorkSettings(settings.COMPANY_JOBS_AT_ONCE || undefined)),
        IntentLinksModule,
      ],
      controllers: [NameHandlers],
    };
  }
}
