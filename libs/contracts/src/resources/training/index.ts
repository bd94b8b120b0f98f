import type { augmentations } from './augmentations.js';
import type { compositions } from './compositions.js';
import type { datasetFiles } from './dataset-files.js';
import type { datasetRequests } from './dataset-requests.js';
import type { datasets } from './datasets.js';
import type { finetuneFiles, finetuneJobs } from './finetune-jobs.js';
import type { finetuneRuns } from './finetune-runs.js';
import type { groupTraining, intentDatasets } from './owned-lists.js';
import type { requestSources } from './request-sources.js';
import type { trainingLinks } from './training-links.js';

export * from './augmentations.js';
export * from './compositions.js';
export * from './composition-previews.js';
export * from './dataset-files.js';
export * from './dataset-requests.js';
export * from './datasets.js';
export * from './finetune-jobs.js';
export * from './finetune-runs.js';
export * from './input-hash.js';
export * from './owned-lists.js';
export * from './request-sources.js';
export * from './training-data.js';
export * from './training-links.js';

/** One of the contracts of this folder, with the types of its endpoints. */
export type TrainingContract =
  | typeof intentDatasets
  | typeof groupTraining
  | typeof datasets
  | typeof datasetRequests
  | typeof datasetFiles
  | typeof augmentations
  | typeof compositions
  | typeof finetuneRuns
  | typeof finetuneFiles
  | typeof finetuneJobs
  | typeof requestSources
  | typeof trainingLinks;
