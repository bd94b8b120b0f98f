import { randomUUID } from 'node:crypto';
import { FinetuningFiles } from './finetuning-files.js';
import {
  type FinetuningCall,
  type FinetuningReply,
  type Json,
  ok,
  page,
  refusal,
  seconds,
} from './finetuning-protocol.js';

interface StoredJob {
  id: string;
  created_at: number;
  model: string;
  suffix: string;
  training_file: string;
  validation_file: string | null;
  status: 'validating_files' | 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
  step: number;
  error: Json | null;
  events: Json[];
  hyperparameters: Json;
  seed: number;
}

export interface FinetuningOptions {
  /** Each read of a job makes one. */
  steps?: number;
  /** A job stays `running` until it is released. */
  held?: boolean;
  failure?: string;
  /** A job succeeds without saying what it has made. */
  nameless?: boolean;
  /** Calls about jobs are answered with 503. */
  down?: boolean;
  /** Before a call takes effect. */
  beforeEffect?: (call: FinetuningCall) => Promise<void> | undefined;
  /** After a call took effect and before its reply is sent. */
  beforeReply?: (call: FinetuningCall) => Promise<void> | undefined;
}

/** OpenAI's fine-tuning protocol: files are checked as there, and a job advances each time it is read. */
export class FinetuningJobs {
  readonly #uploads = new FinetuningFiles();
  readonly jobs = new Map<string, StoredJob>();

  constructor(public options: FinetuningOptions = {}) {}

  get files(): FinetuningFiles['files'] {
    return this.#uploads.files;
  }

  reply(call: FinetuningCall): FinetuningReply | undefined {
    const { pathname, searchParams } = new URL(call.path, 'http://provider');
    const [, , root, ...rest] = pathname.split('/');
    if (root === 'files') return this.#uploads.reply(call, searchParams);
    if (root !== 'fine_tuning' || rest[0] !== 'jobs') return undefined;
    if (this.options.down) return refusal(503, 'The service is temporarily unavailable.');
    const [, id, part] = rest;
    if (id === undefined) return call.method === 'POST' ? this.#create(call.body as Json) : ok(page(this.#all()));
    const job = this.jobs.get(id);
    if (!job) return refusal(404, `Could not find fine tune: ${id}`, 'fine_tune_not_found');
    if (part === 'events') return ok(page([...job.events].reverse()));
    if (part === 'checkpoints') return ok(page(this.#checkpoints(job)));
    if (part === 'cancel') return this.#cancel(job);
    this.#advance(job);
    return ok(this.#record(job));
  }

  release(): void {
    this.options = { ...this.options, held: false };
  }

  #create(body: Json): FinetuningReply {
    const { model, training_file, validation_file = null, suffix = '', seed = 0, method } = body;
    if (typeof model !== 'string' || typeof training_file !== 'string')
      return refusal(400, "Missing required parameter: 'training_file'.", 'missing_required_parameter');
    for (const id of [training_file, validation_file])
      if (id !== null && !this.files.has(String(id))) return refusal(400, `invalid training_file: ${String(id)}`);
    const id = `ftjob-${randomUUID().replaceAll('-', '').slice(0, 24)}`;
    const supervised = (method as { supervised?: { hyperparameters?: Json } } | undefined)?.supervised;
    const job: StoredJob = {
      id,
      created_at: seconds(),
      model,
      suffix: String(suffix),
      training_file,
      validation_file: validation_file as string | null,
      status: 'validating_files',
      step: 0,
      error: null,
      events: [],
      hyperparameters: supervised?.hyperparameters ?? {},
      seed: Number(seed),
    };
    this.jobs.set(id, job);
    this.#note(job, `Created fine-tuning job: ${id}`);
    return ok(this.#record(job));
  }

  #advance(job: StoredJob): void {
    const { steps = 3, held = false, failure } = this.options;
    if (job.status === 'validating_files') {
      const problem = this.#uploads.problemOf(job);
      if (problem !== null) return this.#fail(job, 'invalid_training_file', problem);
      job.status = 'queued';
      return this.#note(job, 'Files validated, moving job to queued state');
    }
    if (job.status === 'queued') {
      job.status = 'running';
      return this.#note(job, 'Fine-tuning job started');
    }
    if (job.status !== 'running' || (held && job.step > 0)) return;
    if (failure !== undefined && job.step > 0) return this.#fail(job, 'server_error', failure);
    if (job.step < steps) return this.#step(job, steps);
    job.status = 'succeeded';
    this.#note(job, 'The job has successfully completed');
  }

  #step(job: StoredJob, steps: number): void {
    job.step += 1;
    const train_loss = Math.round((2 / job.step) * 1000) / 1000;
    const data = {
      step: job.step,
      total_steps: steps,
      train_loss,
      ...(job.validation_file === null ? {} : { valid_loss: train_loss * 1.1 }),
    };
    this.#note(job, `Step ${job.step}/${steps}: training loss=${train_loss}`, { type: 'metrics', data });
  }

  #fail(job: StoredJob, code: string, message: string): void {
    job.status = 'failed';
    job.error = { code, message, param: 'training_file' };
    this.#note(job, message, { level: 'error' });
  }

  #cancel(job: StoredJob): FinetuningReply {
    if (['succeeded', 'failed', 'cancelled'].includes(job.status))
      return refusal(400, `Job has already completed: ${job.id}`);
    job.status = 'cancelled';
    this.#note(job, 'Fine-tuning job successfully canceled');
    return ok(this.#record(job));
  }

  #note(job: StoredJob, message: string, more: Json = {}): void {
    job.events.push({
      object: 'fine_tuning.job.event',
      id: `ftevent-${job.events.length}-${job.id.slice(-8)}`,
      created_at: seconds(),
      level: 'info',
      message,
      type: 'message',
      data: {},
      ...more,
    });
  }

  #all(): Json[] {
    return [...this.jobs.values()].map((job) => this.#record(job)).reverse();
  }

  #nameOf = ({ model, suffix, id }: StoredJob): string => `ft:${model}:acme:${suffix}:${id.slice(-8)}`;

  #record(job: StoredJob): Json {
    const { id, created_at, model, training_file, validation_file, status, error, hyperparameters, seed } = job;
    const isOver = ['succeeded', 'failed', 'cancelled'].includes(status);
    return {
      object: 'fine_tuning.job',
      id,
      model,
      created_at,
      finished_at: isOver ? seconds() : null,
      fine_tuned_model: status === 'succeeded' && !this.options.nameless ? this.#nameOf(job) : null,
      organization_id: 'org-acme',
      result_files: [],
      status,
      training_file,
      validation_file,
      hyperparameters,
      trained_tokens: status === 'succeeded' ? 1000 : null,
      error: error ?? {},
      seed,
      estimated_finish: null,
      integrations: [],
    };
  }

  #checkpoints(job: StoredJob): Json[] {
    return Array.from({ length: job.status === 'succeeded' ? job.step : 0 }, (_, at) => ({
      object: 'fine_tuning.job.checkpoint',
      id: `ftckpt-${at + 1}-${job.id.slice(-8)}`,
      created_at: job.created_at,
      fine_tuned_model_checkpoint: at + 1 === job.step ? this.#nameOf(job) : `${this.#nameOf(job)}:ckpt-step-${at + 1}`,
      fine_tuning_job_id: job.id,
      metrics: { step: at + 1, train_loss: 2 / (at + 1) },
      step_number: at + 1,
    })).reverse();
  }
}
