import { defineEvents } from '../../events.js';
import { Count, Str, omit } from '../../fields/fields.js';
import { Augmentation } from '../training/augmentations.js';
import { Composition } from '../training/compositions.js';
import { Dataset } from '../training/datasets.js';
import { FinetuneRun } from '../training/finetune-runs.js';
import { Gone } from './event-data.js';

/** A dataset that has further rows. */
export class RequestsAdded extends Dataset {
  @Count() count!: number;
}

export class AugmentationRecord extends omit(Augmentation, 'schema') {}

/** A finetune run that has made a model. */
export class FinetuneRunCompleted extends FinetuneRun {
  @Str() model_name!: string;
}

export const trainingEvents = defineEvents('training', {
  'dataset.created': { resource: 'dataset', data: Dataset, description: 'A dataset was created' },
  'dataset.updated': { resource: 'dataset', data: Dataset, description: 'A dataset or one of its rows was changed' },
  'dataset.deleted': { resource: 'dataset', data: Gone, description: 'A dataset was deleted' },
  'dataset.requests_added': {
    resource: 'dataset',
    data: RequestsAdded,
    description: 'Rows were added to a dataset',
  },
  'augmentation.completed': {
    resource: 'augmentation',
    data: AugmentationRecord,
    description: 'A model has extended a dataset',
  },
  'augmentation.failed': {
    resource: 'augmentation',
    data: AugmentationRecord,
    description: 'A model could not extend a dataset',
  },
  'composition.created': { resource: 'composition', data: Composition, description: 'A composition was created' },
  'composition.updated': { resource: 'composition', data: Composition, description: 'A composition was changed' },
  'composition.deleted': { resource: 'composition', data: Gone, description: 'A composition was deleted' },
  'finetune_run.created': { resource: 'finetune_run', data: FinetuneRun, description: 'A finetune run was created' },
  'finetune_run.started': { resource: 'finetune_run', data: FinetuneRun, description: 'The provider trains a model' },
  'finetune_run.progress': { resource: 'finetune_run', data: FinetuneRun, description: 'A finetune run advanced' },
  'finetune_run.completed': {
    resource: 'finetune_run',
    data: FinetuneRunCompleted,
    description: 'A finetune run has made a model',
  },
  'finetune_run.failed': { resource: 'finetune_run', data: FinetuneRun, description: 'A finetune run failed' },
  'finetune_run.cancelled': {
    resource: 'finetune_run',
    data: FinetuneRun,
    description: 'A finetune run was cancelled',
  },
});
