export { AugmentationEventRow, AugmentationRow, AugmentationTimelineRow } from './augmentations/augmentation.entity.js';
export {
  FinetuneCheckpointRow,
  FinetuneLogRow,
  FinetuneMetricRow,
  FinetuneRunEventRow,
  FinetuneRunRow,
  FinetuneRunTimelineRow,
  FrozenRow,
} from './finetunes/finetune-run.entity.js';
export { FinetuneRunRows } from './finetunes/finetune-runs.repository.js';
export { TrainingRunsModule } from './training-runs.module.js';
