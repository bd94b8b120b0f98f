import { type DynamicModule, Module } from '@nestjs/common';
import { BusModule } from '@signalbox/bus';
import { EvaluationThreads, SchemaChecker, TextTests } from '@signalbox/conditions';
import { DatabaseModule } from '@signalbox/database';
import type { Settings } from '@signalbox/platform';
import { CriteriaHandlers } from './criteria/criteria.handlers.js';
import { Criteria } from './criteria/criteria.repository.js';
import { CriterionUses } from './criteria/criterion-uses.repository.js';
import { ENTITIES } from './entities.js';
import { FileExports } from './files/file-export.repository.js';
import { FileImports } from './files/file-import.repository.js';
import { TestSetFileHandlers } from './files/files.handlers.js';
import { Uploads } from './files/uploads.repository.js';
import { BulkImports } from './imports/bulk-import.js';
import { ImportSources } from './imports/import-sources.js';
import { ImportHandlers } from './imports/imports.handlers.js';
import { Imports } from './imports/imports.repository.js';
import { TestSetItemHandlers } from './items/items.handlers.js';
import { TestSetItems } from './items/items.repository.js';
import { LegacySetHandlers } from './legacy/legacy-sets.handlers.js';
import { LegacySets } from './legacy/legacy-sets.repository.js';
import { GroupTestSetHandlers } from './sets/group-sets.handlers.js';
import { TestSetDeletion } from './sets/set-deletion.js';
import { TestSetUses } from './sets/set-uses.js';
import { TestSetHandlers } from './sets/sets.handlers.js';
import { TestSetCopies } from './sets/set-copies.repository.js';
import { TestSets } from './sets/sets.repository.js';

/** Evaluation of users' schemas and patterns. */
const EVALUATIONS = [
  { provide: EvaluationThreads, useFactory: () => new EvaluationThreads() },
  {
    provide: SchemaChecker,
    inject: [EvaluationThreads],
    useFactory: (threads: EvaluationThreads) => new SchemaChecker(threads),
  },
  {
    provide: TextTests,
    inject: [EvaluationThreads],
    useFactory: (threads: EvaluationThreads) => new TextTests(threads),
  },
];

type TestRunSettings = Settings<'NATS_URL' | 'DATABASE_URL' | 'WORKER_DATABASE_URL'>;

/** Evaluation criteria, test sets and test runs. */
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
        }),
      ],
      controllers: [
        CriteriaHandlers,
        TestSetHandlers,
        TestSetItemHandlers,
        ImportHandlers,
        GroupTestSetHandlers,
        LegacySetHandlers,
        TestSetFileHandlers,
      ],
      providers: [
        Criteria,
        CriterionUses,
        TestSets,
        TestSetCopies,
        TestSetDeletion,
        TestSetUses,
        TestSetItems,
        Imports,
        ImportSources,
        BulkImports,
        LegacySets,
        Uploads,
        FileImports,
        FileExports,
        ...EVALUATIONS,
      ],
    };
  }
}
