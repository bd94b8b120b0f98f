import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import { numType } from '../../fields/field-types.js';
import {
  Count,
  Default,
  Description,
  Epoch,
  field,
  Id,
  Int,
  join,
  MapOf,
  Name,
  Nested,
  Nullable,
  Num,
  OneOf,
  Optional,
  Str,
} from '../../fields/fields.js';
import { Deleted, FAILURE_CLASSES, type FailureClass, ListQuery } from '../../shapes.js';
import { modelNameType } from '../model-names.js';

export const FINETUNE_RUN_STATUSES = [
  'CREATED',
  'VALIDATING',
  'QUEUED',
  'RUNNING',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
] as const;
export type FinetuneRunStatus = (typeof FINETUNE_RUN_STATUSES)[number];

export class Hyperparameters {
  @Int(1, 50) @Default(3) n_epochs!: number;
  @Int(1, 256) @Nullable() @Default(null) batch_size!: number | null;
  @Num(0.01, 10) @Nullable() @Default(null) learning_rate_multiplier!: number | null;
  @Int(0) @Nullable() @Default(null) seed!: number | null;
}
/** The losses of a run after its last step. */
export class FinetuneLosses {
  @Num() @Optional() train_loss?: number;
  @Num() @Optional() validation_loss?: number;
}

/** The training of a model with a composition (docs/api/training.md). */
export class FinetuneRun {
  @Id() id!: number;
  @Name() run_name!: string;
  @Id() composition_id!: number;
  @Id() intent_group_id!: number;
  @field(modelNameType) base_model!: string;
  @Id() @Nullable() @Description('The model that the run has made') model_id!: number | null;
  @Str() @Nullable() finetuned_model_name!: string | null;
  @Id() provider_id!: number;
  @Str() @Nullable() provider_job_id!: string | null;
  @Nested(() => Hyperparameters) hyperparameters!: Hyperparameters;
  @OneOf(FINETUNE_RUN_STATUSES) status!: FinetuneRunStatus;
  @Int(0, 100) progress!: number;
  @Nested(() => FinetuneLosses) metrics!: FinetuneLosses;
  @Count() training_request_count!: number;
  @Count() validation_request_count!: number;
  @Str(0, 4000) @Nullable() error_message!: string | null;
  @OneOf(FAILURE_CLASSES) @Nullable() failure_class!: FailureClass | null;
  @Epoch() @Nullable() started_at!: number | null;
  @Epoch() @Nullable() completed_at!: number | null;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

class NewFinetuneRun {
  @Name() @Optional() @Description('By default the name of the composition and the date') run_name?: string;
  @Id() composition_id!: number;
  @field(modelNameType) base_model!: string;
  @Nested(() => Hyperparameters)
  @Default(() => ({
    n_epochs: 3,
    batch_size: null,
    learning_rate_multiplier: null,
    seed: null,
  }))
  hyperparameters!: Hyperparameters;
}
class RunPath {
  @Id() finetune_run_id!: number;
}
class ListFinetuneRuns extends ListQuery {
  @OneOf(FINETUNE_RUN_STATUSES) @Optional() status?: FinetuneRunStatus;
  @Id() @Optional() intent_group_id?: number;
  @Id() @Optional() composition_id?: number;
}
class OldestFirst extends ListQuery {
  @Str(1, 64) @Default('id') declare sort: string;
}
class PartsOfRun extends join(RunPath, OldestFirst) {}

export class FinetuneEvent {
  @Epoch() timestamp!: number;
  @OneOf(['info', 'warn', 'error']) level!: 'info' | 'warn' | 'error';
  @Str() message!: string;
}
export class FinetuneMetric {
  @Int(0) step!: number;
  @Num() train_loss!: number;
  @Num() @Nullable() validation_loss!: number | null;
  @Epoch() timestamp!: number;
}
/** A model that a finetune run has kept on its way. */
export class FinetuneCheckpoint {
  @Int(0) step!: number;
  @Str() model_name!: string;
  @MapOf(numType()) metrics!: Record<string, number>;
}

const one = '/finetune-runs/{finetune_run_id}' as const;

/** Finetune runs (docs/api/training.md). */
export const finetuneRuns = defineContract(
  { name: 'finetune-runs', service: 'training', tag: 'Finetune Runs' },
  {
    listFinetuneRuns: {
      get: '/finetune-runs',
      summary: 'List the finetune runs',
      input: ListFinetuneRuns,
      output: page(FinetuneRun),
    },
    createFinetuneRun: {
      post: '/finetune-runs',
      summary: 'Train a model with the rows that a composition has now',
      scope: 'invoke',
      errors: ['conflict', 'not_found'],
      input: NewFinetuneRun,
      output: FinetuneRun,
      delivery: { slow: true },
    },
    getFinetuneRun: {
      get: one,
      summary: 'Get a finetune run',
      input: RunPath,
      output: FinetuneRun,
      delivery: { batchable: 'finetune_run_id' },
    },
    deleteFinetuneRun: {
      delete: one,
      summary: 'Delete a finetune run that has ended; its model stays',
      errors: ['conflict'],
      input: RunPath,
      output: Deleted,
    },
    listFinetuneEvents: {
      get: `${one}/events`,
      summary: 'List what happened in a finetune run, oldest first',
      input: PartsOfRun,
      output: page(FinetuneEvent),
    },
    listFinetuneMetrics: {
      get: `${one}/metrics`,
      summary: 'List the losses of the steps of a finetune run, oldest first',
      input: PartsOfRun,
      output: page(FinetuneMetric),
    },
    listFinetuneCheckpoints: {
      get: `${one}/checkpoints`,
      summary: 'List the models that a finetune run has kept on its way, oldest first',
      input: PartsOfRun,
      output: page(FinetuneCheckpoint),
    },
    cancelFinetuneRun: {
      post: `${one}/cancel`,
      summary: 'Cancel a finetune run, and its job at the provider',
      scope: 'invoke',
      errors: ['conflict'],
      input: RunPath,
      output: FinetuneRun,
    },
  },
);
