import { defineContract } from '../../contract.js';
import { chunks } from '../../contract/outputs.js';
import { numType } from '../../fields/field-types.js';
import {
  Count,
  Epoch,
  field,
  Flag,
  Id,
  Int,
  ListOf,
  MapOf,
  Nested,
  Nullable,
  Num,
  OneOf,
  Str,
  Uuid,
} from '../../fields/fields.js';
import { Model } from '../models.js';
import { modelNameType } from '../model-names.js';
import { TRAINING_SPLITS, type TrainingSplit } from './composition-previews.js';

/** The states of a job at a provider. */
export const FINETUNE_JOB_STATUSES = [
  'validating_files',
  'queued',
  'running',
  'succeeded',
  'failed',
  'cancelled',
] as const;

class BaseModelName {
  @field(modelNameType) model_name!: string;
}
/** A model that can be trained. */
export class BaseModel {
  @Id() provider_id!: number;
  @Str() provider_model!: string;
}
class OfProvider {
  @Id() provider_id!: number;
}
class TrainingFileOf extends OfProvider {
  @Uuid() run_id!: string;
  @OneOf(TRAINING_SPLITS) split!: TrainingSplit;
  @Count() bytes!: number;
  @Count() lines!: number;
}
export class ProviderFile {
  @Str() file_id!: string;
}
class NewFinetuneJob extends OfProvider {
  @Str() model!: string;
  @Str() training_file!: string;
  @Str() @Nullable() validation_file!: string | null;
  @Int(1, 50) n_epochs!: number;
  @Int() @Nullable() batch_size!: number | null;
  @Num() @Nullable() learning_rate_multiplier!: number | null;
  @Int(0) @Nullable() seed!: number | null;
  @Str(1, 64) suffix!: string;
}
export class FinetuneJobState {
  @Str() id!: string;
  @OneOf(FINETUNE_JOB_STATUSES) status!: (typeof FINETUNE_JOB_STATUSES)[number];
  @Str() @Nullable() fine_tuned_model!: string | null;
  @Str() @Nullable() error_message!: string | null;
}
export class StepMetrics {
  @Int(0) step!: number;
  @Int(0) @Nullable() total_steps!: number | null;
  @Num() train_loss!: number;
  @Num() @Nullable() validation_loss!: number | null;
}
/** What a provider reports about a job. */
export class FinetuneJobEvent {
  @Str() id!: string;
  @Epoch() timestamp!: number;
  @OneOf(['info', 'warn', 'error']) level!: 'info' | 'warn' | 'error';
  @Str() message!: string;
  @Nested(() => StepMetrics) @Nullable() metrics!: StepMetrics | null;
}
/** A model that a job has kept on its way. */
export class FinetuneJobCheckpoint {
  @Int(0) step!: number;
  @Str() model_name!: string;
  @MapOf(numType()) metrics!: Record<string, number>;
}
/** A job with its newest events and its checkpoints, oldest first. */
export class FinetuneJobReport {
  @Nested(() => FinetuneJobState) job!: FinetuneJobState;
  @ListOf(() => FinetuneJobEvent) events!: FinetuneJobEvent[];
  @ListOf(() => FinetuneJobCheckpoint) checkpoints!: FinetuneJobCheckpoint[];
}
class JobPath extends OfProvider {
  @Str() job_id!: string;
}
class CancelledJob extends OfProvider {
  @Str() @Nullable() job_id!: string | null;
  /** Finds a job whose id was lost. */
  @Str() @Nullable() training_file!: string | null;
}
export class JobCancelled {
  @Flag() cancelled!: boolean;
}
class FinetunedModel {
  @Id() finetune_run_id!: number;
  @field(modelNameType) base_model!: string;
  /** The name of the result at the provider. */
  @Str(1, 200) provider_model!: string;
  @Id() provider_id!: number;
  @Id() intent_group_id!: number;
}

/**
 * Internal: jobs at the providers, whose keys only one service has. A provider that fails is `bad_upstream` or
 * `timeout`, one that refuses for good is `refused`.
 */
export const finetuneJobs = defineContract(
  { name: 'finetune-jobs', service: 'traffic', tag: 'Internal' },
  {
    resolveBaseModel: {
      summary: 'Find a model to train; 404 when it does not exist, 400 when it is not trainable',
      input: BaseModelName,
      output: BaseModel,
    },
    uploadTrainingFile: {
      summary: 'Send the file of a run to a provider, unless it has it',
      input: TrainingFileOf,
      output: ProviderFile,
      delivery: { slow: true },
    },
    createFinetuneJob: {
      summary: 'Create a job, unless there is one for its training file',
      input: NewFinetuneJob,
      output: FinetuneJobState,
      delivery: { slow: true },
    },
    readFinetuneJob: { summary: 'Read a job', input: JobPath, output: FinetuneJobReport, delivery: { slow: true } },
    cancelFinetuneJob: {
      summary: 'Cancel a job that has not ended',
      input: CancelledJob,
      output: JobCancelled,
      delivery: { slow: true },
    },
    addFinetunedModel: {
      summary: 'Create the model of a completed run, once',
      input: FinetunedModel,
      output: Model,
    },
  },
);

class FrozenFile {
  @Uuid() run_id!: string;
  @OneOf(TRAINING_SPLITS) split!: TrainingSplit;
}
class ModelNamed {
  @field(modelNameType) model_name!: string;
}
export class FinetuneRunCount {
  @Count() runs!: number;
}

/** Internal: what other services read of finetune runs. */
export const finetuneFiles = defineContract(
  { name: 'finetune-files', service: 'training', tag: 'Internal' },
  {
    readTrainingFile: {
      summary: 'Read the file that a run has frozen',
      input: FrozenFile,
      output: chunks(),
      delivery: { slow: true, abandonable: true },
    },
    countModelUses: {
      summary: 'Count the unfinished runs that train a model',
      input: ModelNamed,
      output: FinetuneRunCount,
    },
  },
);
