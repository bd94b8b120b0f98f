import { type DynamicModule, Module } from '@nestjs/common';
import { BusModule, CompanyProfiles } from '@signalbox/bus';
import { evaluationProviders } from '@signalbox/conditions';
import { Database, DatabaseModule, Uploads } from '@signalbox/database';
import type { Settings } from '@signalbox/platform';
import { provideRuns, runProviders, RunWorkSettings } from '@signalbox/runs';
import { CriteriaHandlers } from './criteria/criteria.handlers.js';
import { Criteria } from './criteria/criteria.repository.js';
import { CriterionUses } from './criteria/criterion-uses.repository.js';
import { Comparisons } from './comparison/comparisons.js';
import { ComparedRuns } from './comparison/compared-runs.repository.js';
import { AgentConsumer } from './consumers/agent-consumer.js';
import { Consumers } from './consumers/consumers.js';
import { InputSchemas } from './consumers/input-schemas.js';
import { ModelConsumer } from './consumers/model-consumer.js';
import { WorkflowConsumer } from './consumers/workflow-consumer.js';
import { ENTITIES } from './entities.js';
import { FileExports } from './files/file-export.repository.js';
import { FileImports } from './files/file-import.repository.js';
import { TestSetFileHandlers } from './files/files.handlers.js';
import { UploadSweep } from './files/upload-sweep.worker.js';
import { BulkImports } from './imports/bulk-import.js';
import { ImportSources } from './imports/import-sources.js';
import { ImportHandlers } from './imports/imports.handlers.js';
import { Imports } from './imports/imports.repository.js';
import { GatedRuns } from './gate/gated-runs.repository.js';
import { ReleaseGateHandlers } from './gate/release-gates.handlers.js';
import { LaneItems } from './lanes/lane-items.repository.js';
import { LaneRecords } from './lanes/lane-records.repository.js';
import { LaneWorker } from './lanes/lane-worker.js';
import { ResetItems } from './run-items/reset-items.repository.js';
import { RunItems } from './run-items/run-items.repository.js';
import { CancelWorker } from './runs/cancel-worker.js';
import { Conductor } from './runs/conductor.js';
import { Executions } from './runs/executions.repository.js';
import { OpenRuns } from './runs/open-runs.repository.js';
import { Preparations } from './runs/preparation.repository.js';
import { RunProgressEvents } from './runs/progress.repository.js';
import { SourceItems } from './runs/source-items.repository.js';
import { TestRuns } from './runs/test-run-kind.js';
import { TestRunHandlers } from './runs/test-runs.handlers.js';
import { TestRunRows } from './runs/test-runs.repository.js';
import { Judges } from './scoring/judges.js';
import { RunScores } from './scoring/run-scores.repository.js';
import { ScoreSummaries } from './scoring/score-summaries.repository.js';
import { ItemScoring } from './scoring/scoring.js';
import { ScoreRequests } from './scorings/score-requests.js';
import { ScoringWorker } from './scorings/scoring-worker.js';
import { Scorings } from './scorings/scorings.repository.js';
import { NameHandlers } from './names.handlers.js';
import { ItemInputPages } from './items/item-inputs.repository.js';
import { TestSetInputHandlers } from './items/test-set-inputs.handlers.js';
import { TestSetItemHandlers } from './items/items.handlers.js';
import { TestSetItems } from './items/items.repository.js';
import { LegacyRunHandlers } from './legacy/legacy-runs.handlers.js';
import { LegacyRuns } from './legacy/legacy-runs.repository.js';
import { LegacySetHandlers } from './legacy/legacy-sets.handlers.js';
import { LegacySets } from './legacy/legacy-sets.repository.js';
import { GroupTestSetHandlers } from './sets/group-sets.handlers.js';
import { TestSetDeletion } from './sets/set-deletion.js';
import { TestSetUses } from './sets/set-uses.js';
import { TestSetHandlers } from './sets/sets.handlers.js';
import { TestSetCopies } from './sets/set-copies.repository.js';
import { TestSets } from './sets/sets.repository.js';

/** Items that one process executes at once. */
const LANES_AT_ONCE = 136;

/** Test runs as a kind of run, and the lanes that execute their items. */
const TEST_RUN_KIND = provideRuns(TestRuns, Conductor, {
  inject: [LaneWorker, ScoringWorker, CancelWorker],
  from: (lanes: LaneWorker, scorings: ScoringWorker, cancels: CancelWorker) => [
    lanes.jobs,
    scorings.jobs,
    cancels.jobs,
  ],
});

const RUNS = [
  AgentConsumer,
  CancelWorker,
  ComparedRuns,
  Comparisons,
  CompanyProfiles,
  Consumers,
  Executions,
  GatedRuns,
  InputSchemas,
  ItemScoring,
  Judges,
  LaneItems,
  LaneRecords,
  LaneWorker,
  LegacyRuns,
  ModelConsumer,
  OpenRuns,
  Preparations,
  ResetItems,
  RunItems,
  RunProgressEvents,
  RunScores,
  ScoreRequests,
  ScoreSummaries,
  Scorings,
  ScoringWorker,
  SourceItems,
  TestRunRows,
  WorkflowConsumer,
];

type TestRunSettings = Settings<'NATS_URL' | 'DATABASE_URL' | 'WORKER_DATABASE_URL' | 'COMPANY_JOBS_AT_ONCE'>;

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
        TestSetInputHandlers,
        ImportHandlers,
        GroupTestSetHandlers,
        LegacySetHandlers,
        TestSetFileHandlers,
        LegacyRunHandlers,
        TestRunHandlers,
        ReleaseGateHandlers,
        NameHandlers,
      ],
      providers: [
        Criteria,
        CriterionUses,
        TestSets,
        TestSetCopies,
        TestSetDeletion,
        TestSetUses,
        TestSetItems,
        ItemInputPages,
        Imports,
        ImportSources,
        BulkImports,
        LegacySets,
        { provide: Uploads, inject: [Database], useFactory: (db: Database) => new Uploads(db) },
        UploadSweep,
        FileImports,
        FileExports,
        ...RUNS,
        ...runProviders(
          [TEST_RUN_KIND],
          new RunWorkSettings(settings.COMPANY_JOBS_AT_ONCE || undefined, undefined, LANES_AT_ONCE),
        ),
        ...evaluationProviders,
      ],
    };
  }
}
