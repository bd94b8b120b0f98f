import type { CallContext } from '../provider.js';

/** The states of a job at a provider. */
export const JOB_STATUSES = ['validating_files', 'queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
/** The state of a job at a provider. */
export type JobStatus = (typeof JOB_STATUSES)[number];

/** A file that is sent while it is read. */
export interface TrainingFile {
  /** Distinguishes the file at the provider. */
  filename: string;
  /** The exact number of bytes of `content`. */
  bytes: number;
  /** Lines of `content`. */
  lines: number;
  content: () => AsyncIterable<Uint8Array | string>;
}

/** A job to be created. */
export interface NewJob {
  model: string;
  training_file: string;
  validation_file: string | null;
  n_epochs: number;
  batch_size: number | null;
  learning_rate_multiplier: number | null;
  seed: number | null;
  /** Part of the name of the result. */
  suffix: string;
}

/** A job at a provider. */
export interface FinetuneJob {
  id: string;
  status: JobStatus;
  /** The name of the result; null before it exists. */
  fine_tuned_model: string | null;
  error_message: string | null;
}

/** What a provider reports about a job. */
export interface JobEvent {
  id: string;
  timestamp: number;
  level: 'info' | 'warn' | 'error';
  message: string;
  /** The metrics of a step, when the event reports them. */
  metrics: { step: number; total_steps: number | null; train_loss: number; validation_loss: number | null } | null;
}

/** A model that a job has kept on its way. */
export interface JobCheckpoint {
  step: number;
  model_name: string;
  metrics: Record<string, number>;
}

/** A provider of finetuning. */
export interface FinetuneProvider {
  /** Sends a file, unless the provider has it already; returns its id. */
  uploadFile(file: TrainingFile, context: CallContext): Promise<string>;
  /** Creates a job, unless there is one for its training file already. */
  createJob(job: NewJob, context: CallContext): Promise<FinetuneJob>;
  /** The job of a training file; null when there is none. */
  findJob(trainingFile: string, context: CallContext): Promise<FinetuneJob | null>;
  getJob(id: string, context: CallContext): Promise<FinetuneJob>;
  /** The newest events of a job, oldest first. */
  listEvents(id: string, context: CallContext): Promise<JobEvent[]>;
  listCheckpoints(id: string, context: CallContext): Promise<JobCheckpoint[]>;
  cancelJob(id: string, context: CallContext): Promise<void>;
}
