import { type DynamicModule, Module } from '@nestjs/common';
import { BusModule } from '@signalbox/bus';
import { Database, DatabaseModule, Uploads } from '@signalbox/database';
import type { Settings } from '@signalbox/platform';
import { provideRuns, runProviders, RunWorkSettings } from '@signalbox/runs';
import { AugmentationHandlers } from './augmentations/augmentations.handlers.js';
import { Augmentations } from './augmentations/augmentation-kind.js';
import { AugmentationSteps } from './augmentations/augmentation-steps.js';
import { AugmentedRows } from './augmentations/augmented-rows.repository.js';
import { Candidates } from './compositions/candidates.repository.js';
import { CompositionHandlers } from './compositions/compositions.handlers.js';
import { Compositions } from './compositions/compositions.repository.js';
import { ExcludedInputs } from './compositions/excluded-inputs.js';
import { Mixes } from './compositions/mixes.js';
import { DatasetHandlers } from './datasets/datasets.handlers.js';
import { Datasets } from './datasets/datasets.repository.js';
import { GroupTrainingHandlers, IntentDatasetHandlers } from './datasets/owned-lists.handlers.js';
import { TrainingLinkHandlers } from './datasets/training-links.handlers.js';
import { ENTITIES } from './entities.js';
import { DatasetFileHandlers } from './files/dataset-files.handlers.js';
import { FileExports } from './files/file-export.repository.js';
import { FileUploads } from './files/file-upload.repository.js';
import { UploadSweep } from './files/upload-sweep.worker.js';
import { FinetuneFileHandlers } from './finetune-runs/finetune-files.handlers.js';
import { FinetuneReports } from './finetune-runs/finetune-reports.repository.js';
import { FinetuneRuns } from './finetune-runs/finetune-run-kind.js';
import { FinetuneRunHandlers } from './finetune-runs/finetune-runs.handlers.js';
import { FinetuneRunRows } from './finetune-runs/finetune-runs.repository.js';
import { FinetuneSteps } from './finetune-runs/finetune-steps.js';
import { FrozenFiles } from './finetune-runs/frozen-files.repository.js';
import { JobCancellation } from './finetune-runs/job-cancellation.js';
import { NameHandlers } from './names.handlers.js';
import { DatasetRequestHandlers } from './requests/dataset-requests.handlers.js';
import { DatasetRequests } from './requests/dataset-requests.repository.js';
import { RequestAdditions } from './requests/request-additions.js';

/** Finetune runs as a kind of run, and the cancellation of their jobs. */
const FINETUNE_KIND = provideRuns(FinetuneRuns, FinetuneSteps, {
  inject: [JobCancellation],
  from: (cancellation: JobCancellation) => [cancellation.jobs],
});

type TrainingSettings = Settings<'NATS_URL' | 'DATABASE_URL' | 'WORKER_DATABASE_URL' | 'COMPANY_JOBS_AT_ONCE'>;

/** Datasets, compositions and finetune runs. */
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
        }),
      ],
      controllers: [
        DatasetHandlers,
        DatasetRequestHandlers,
        DatasetFileHandlers,
        AugmentationHandlers,
        CompositionHandlers,
        FinetuneRunHandlers,
        FinetuneFileHandlers,
        IntentDatasetHandlers,
        GroupTrainingHandlers,
        TrainingLinkHandlers,
        NameHandlers,
      ],
      providers: [
        Datasets,
        DatasetRequests,
        RequestAdditions,
        { provide: Uploads, inject: [Database], useFactory: (db: Database) => new Uploads(db) },
        UploadSweep,
        FileUploads,
        FileExports,
        Compositions,
        Candidates,
        ExcludedInputs,
        Mixes,
        FrozenFiles,
        FinetuneRunRows,
        FinetuneReports,
        JobCancellation,
        AugmentedRows,
        ...runProviders(
          [FINETUNE_KIND, provideRuns(Augmentations, AugmentationSteps)],
          new RunWorkSettings(settings.COMPANY_JOBS_AT_ONCE || undefined),
        ),
      ],
    };
  }
}
