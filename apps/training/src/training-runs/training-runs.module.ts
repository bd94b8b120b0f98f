import { type DynamicModule, Global, Module } from '@nestjs/common';
import { provideRuns, runProviders, type RunWorkSettings } from '@signalbox/runs';
import { CompositionsModule } from '../compositions/index.js';
import { DatasetsModule } from '../datasets/index.js';
import { RequestsModule } from '../requests/index.js';
import { Augmentations } from './augmentations/augmentation-kind.js';
import { AugmentationSteps } from './augmentations/augmentation-steps.js';
import { AugmentationHandlers } from './augmentations/augmentations.handlers.js';
import { AugmentedRows } from './augmentations/augmented-rows.repository.js';
import { FinetuneFileHandlers } from './finetunes/finetune-files.handlers.js';
import { FinetuneReports } from './finetunes/finetune-reports.repository.js';
import { FinetuneRuns } from './finetunes/finetune-run-kind.js';
import { FinetuneRunHandlers } from './finetunes/finetune-runs.handlers.js';
import { FinetuneRunRows } from './finetunes/finetune-runs.repository.js';
import { FinetuneSteps } from './finetunes/finetune-steps.js';
import { FrozenFiles } from './finetunes/frozen-files.repository.js';
import { JobCancellation } from './finetunes/job-cancellation.js';

const FINETUNE_RUNS = provideRuns(FinetuneRuns, FinetuneSteps, {
  inject: [JobCancellation],
  from: (cancellation: JobCancellation) => [cancellation.jobs],
});
const AUGMENTATIONS = provideRuns(Augmentations, AugmentationSteps);

@Global()
@Module({})
export class TrainingRunsModule {
  static with(settings: RunWorkSettings): DynamicModule {
    return {
      module: TrainingRunsModule,
      imports: [CompositionsModule, DatasetsModule, RequestsModule],
      controllers: [AugmentationHandlers, FinetuneRunHandlers, FinetuneFileHandlers],
      providers: [
        AugmentedRows,
        FinetuneReports,
        FinetuneRunRows,
        FrozenFiles,
        JobCancellation,
        ...runProviders([FINETUNE_RUNS, AUGMENTATIONS], settings),
      ],
      exports: [FinetuneRunRows],
    };
  }
}
