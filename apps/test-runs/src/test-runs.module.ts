import { type DynamicModule, Module } from '@nestjs/common';
import { BusModule } from '@signalbox/bus';
import { DatabaseModule } from '@signalbox/database';
import type { Settings } from '@signalbox/platform';
import { provideRuns, runWorkProviders, RunWorkSettings } from '@signalbox/runs';
import { ConsumersModule } from './consumers/index.js';
import { CriteriaModule } from './criteria/index.js';
import { ENTITIES } from './entities.js';
import { schema } from './migrations/index.js';
import { EvaluatedRunsModule } from './evaluated-runs/index.js';
import { FilesModule } from './files/index.js';
import { GateModule } from './gate/index.js';
import { ImportsModule } from './imports/index.js';
import { ItemsModule } from './items/index.js';
import { JudgingModule } from './judging/index.js';
import { ExecutionModule, ItemWorker } from './execution/index.js';
import { LegacyModule } from './legacy/index.js';
import { NameHandlers } from './names.handlers.js';
import { RunComparisonModule } from './run-comparison/index.js';
import { RunExportModule } from './run-export/index.js';
import { RunItemsModule } from './run-items/index.js';
import { RunRecordsModule, TestRuns } from './run-records/index.js';
import { CancelWorker, Conductor, RunsModule } from './runs/index.js';
import { ScoringModule, ScoringWorker } from './scoring/index.js';
import { SetsModule } from './sets/index.js';

const ITEMS_AT_ONCE = 136;

const TEST_RUN_KIND = provideRuns(TestRuns, Conductor, {
  inject: [ItemWorker, ScoringWorker, CancelWorker],
  from: (items: ItemWorker, scorings: ScoringWorker, cancels: CancelWorker) => [
    items.jobs,
    scorings.jobs,
    ...cancels.jobs,
  ],
});

type TestRunSettings = Settings<'NATS_URL' | 'DATABASE_URL' | 'WORKER_DATABASE_URL' | 'COMPANY_JOBS_AT_ONCE'>;

@Module({})
export class TestRunsModule {
  static with(settings: TestRunSettings): DynamicModule {
    return {
      module: TestRunsModule,
      imports: [
        BusModule.forService({ name: 'test-runs', url: settings.NATS_URL, database: true }),
        DatabaseModule.forService({
          service: 'test-runs',
          url: settings.DATABASE_URL,
          workerUrl: settings.WORKER_DATABASE_URL,
          entities: ENTITIES,
          schema,
        }),
        JudgingModule,
        CriteriaModule,
        SetsModule,
        ItemsModule,
        ImportsModule,
        FilesModule,
        RunRecordsModule,
        ConsumersModule,
        ScoringModule,
        RunItemsModule,
        RunExportModule,
        ExecutionModule,
        RunComparisonModule,
        RunsModule,
        EvaluatedRunsModule,
        GateModule,
        LegacyModule,
      ],
      controllers: [NameHandlers],
      providers: runWorkProviders(
        [TEST_RUN_KIND],
        new RunWorkSettings(settings.COMPANY_JOBS_AT_ONCE || undefined, undefined, ITEMS_AT_ONCE),
      ),
    };
  }
}
