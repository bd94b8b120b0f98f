import { UploadPartRow } from '@signalbox/database';
import { CompositionRow } from './compositions/composition.entity.js';
import { DatasetRow } from './datasets/dataset.entity.js';
import { DatasetRequestRow } from './requests/dataset-request.entity.js';

/** The entities of the tables of training. */
export const ENTITIES = [CompositionRow, DatasetRow, DatasetRequestRow, UploadPartRow];
