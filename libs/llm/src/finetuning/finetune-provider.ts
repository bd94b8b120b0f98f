import type { CallContext } from '../provider.js';

export const JOB_STATUSES = ['validating_files', 'queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export interface TrainingFile {
  filename: string;
  bytes: number;
  lines: number;
  content: () => AsyncIterable<Uint8Array | string>;
}

export interface NewJob {
  model: string;
  training_file: string;
  validation_file: string | null;
  n_epochs: number;
  batch_size: number | null;
  learning_rate_multiplier: number | null;
  seed: number | null;
  /** Part of the name of the resulting model. */
  suffix: string;
}

export interface FinetuneJob {
  id: string;
  status: JobStatus;
  fine_tuned_model: string | null;
  error_message: string | null;
}

export interface JobEvent {
  id: string;
  timestamp: number;
  level: 'info' | 'warn' | 'error';
  message: string;
  metrics: { step: number; total_steps: number | null; train_loss: number; validation_loss: number | null } | null;
}

export interface JobCheckpoint {
  step: number;
  model_name: string;
  metrics: Record<string, number>;
}

export interface FinetuneProvider {
  /** Returns the id; does not upload a file that the provider already has. */
  uploadFile(file: TrainingFile, context: CallContext): Promise<string>;
  /** Returns the existing job of the training file, if there is one. */
  createJob(job: NewJob, context: CallContext): Promise<FinetuneJob>;
  findJob(trainingFile: string, context: CallContext): Promise<FinetuneJob | null>;
  getJob(id: string, context: CallContext): Promise<FinetuneJob>;
  /** The newest events, oldest first. */
  listEvents(id: string, context: CallContext): Promise<JobEvent[]>;
  listCheckpoints(id: string, context: CallContext): Promise<JobCheckpoint[]>;
  cancelJob(id: string, context: CallContext): Promise<void>;
}
