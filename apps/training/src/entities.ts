import { UploadPartRow } from '@signalbox/database';
import { SecretHolderRow } from '@signalbox/runs';
import {
  AugmentationEventRow,
  AugmentationRow,
  AugmentationTimelineRow,
  FinetuneCheckpointRow,
  FinetuneLogRow,
  FinetuneMetricRow,
  FinetuneRunEventRow,
  FinetuneRunRow,
  FinetuneRunTimelineRow,
  FrozenRow,
} from './training-runs/index.js';
import { CompositionRow } from './compositions/index.js';
import { DatasetRow } from './datasets/index.js';
import { DatasetRequestRow } from './requests/index.js';

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
