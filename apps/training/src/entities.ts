import { UploadPartRow } from '@signalbox/database';
import { SecretHolderRow } from '@signalbox/runs';
import { AugmentationEventRow, AugmentationRow, AugmentationTimelineRow } from './augmentations/augmentation.entity.js';
import { CompositionRow } from './compositions/composition.entity.js';
import { DatasetRow } from './datasets/dataset.entity.js';
import {
  FinetuneCheckpointRow,
  FinetuneLogRow,
  FinetuneMetricRow,
  FinetuneRunEventRow,
  FinetuneRunRow,
  FinetuneRunTimelineRow,
  FrozenRow,
} from './finetune-runs/finetune-run.entity.js';
import { DatasetRequestRow } from './requests/dataset-request.entity.js';

/** The entities of the tables of training. */
export const ENTITIES = [
  CompositionRow,
  DatasetRow,
  DatasetRequestRow,
  UploadPartRow,
  FinetuneRunRow,
  FinetuneRunEventRow,
  FinetuneRunTimelineRow,
  FrozenRow,
  FinetuneLogRow,
  FinetuneMetricRow,
  FinetuneCheckpointRow,
  AugmentationRow,
  AugmentationEventRow,
  AugmentationTimelineRow,
  SecretHolderRow,
];
