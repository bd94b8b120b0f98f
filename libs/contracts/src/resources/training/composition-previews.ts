import { Count, Description, Id, Json, ListOf, Nullable, OneOf } from '../../fields/fields.js';
import { TrainingMessage } from './training-data.js';

export const TRAINING_SPLITS = ['train', 'validation'] as const;

export type TrainingSplit = (typeof TRAINING_SPLITS)[number];

/** A row that is left out because a test item has the same input. */
export class ExcludedOverlap {
  @Id() dataset_request_id!: number;
  @Id() test_set_item_id!: number;
}

/** The rows that a composition takes from a dataset. */
export class DatasetShare {
  @Id() dataset_id!: number;
  @Count() count!: number;
}

/** A row of a composition. */
export class CompositionSample {
  @Id() dataset_request_id!: number;
  @Id() dataset_id!: number;
  @OneOf(TRAINING_SPLITS) split!: TrainingSplit;
  @ListOf(() => TrainingMessage) @Nullable() @Description('Null for a row of more than 128 kB') messages!:
    TrainingMessage[] | null;
  @Json() @Nullable() tools!: unknown[] | null;
}

export class CompositionPreview {
  @Count() train_count!: number;
  @Count() validation_count!: number;
  @Count() excluded_count!: number;
  @ListOf(() => ExcludedOverlap) @Description('The first 1,000 of them') excluded_overlap!: ExcludedOverlap[];
  @ListOf(() => DatasetShare) per_dataset!: DatasetShare[];
  @ListOf(() => CompositionSample) samples!: CompositionSample[];
}
