import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A call as the provider has received it. */
export interface FinetuningCall {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** A reply of the fine-tuning API. */
export interface FinetuningReply {
  status: number;
  body: unknown;
}

type Json = Record<string, unknown>;

interface StoredFile extends Json {
  id: string;
  bytes: number;
  filename: string;
  purpose: string;
  text: string;
}
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

/** Behaviour of the fine-tuning API. */
export interface FinetuningOptions {
  /** Steps of a job; each read of a job makes one. */
  steps?: number;
  /** A job that is held stays `running` until it is released. */
  held?: boolean;
  /** The message with which every job fails after its first step. */
  failure?: string;
  /** Runs after a call took effect and before its reply is sent. */
  beforeReply?: (call: FinetuningCall) => Promise<void> | undefined;
}

/** Rows that a training file has at least, as at OpenAI. */
const MIN_EXAMPLES = 10;
const seconds = (): number => Math.floor(Date.now() / 1000);
const ok = (body: unknown): FinetuningReply => ({ status: 200, body });
const refusal = (status: number, message: string, code: string | null = null): FinetuningReply => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code } },
});

/**
 * The files and jobs of a fake provider with OpenAI's fine-tuning protocol: files are checked as there, and a job goes
 * one state or step further each time it is read.
 */
export class FinetuningJobs {
  readonly files = new Map<string, StoredFile>();
  readonly jobs = new Map<string, StoredJob>();

  constructor(public options: FinetuningOptions = {}) {}

  /** The reply to a call of this API; undefined for any other. */
  reply(call: FinetuningCall): FinetuningReply | undefined {
    const { pathname, searchParams } = new URL(call.path, 'http://provider');
    const [, , root, ...rest] = pathname.split('/');
    if (root === 'files') return this.#files(call, searchParams);
    if (root !== 'fine_tuning' || rest[0] !== 'jobs') return undefined;
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

  /** Lets held jobs continue. */
  release(): void {
    this.options = { ...this.options, held: false };
  }

  #files(call: FinetuningCall, search: URLSearchParams): FinetuningReply {
    if (call.method === 'GET') {
      const purpose = search.get('purpose');
      const files = [...this.files.values()].filter((file) => purpose === null || file.purpose === purpose);
      return ok(page(files.map(({ text: _text, ...file }) => file).reverse()));
    }
    const form = formOf(String(call.body), call.headers['content-type'] ?? '');
    if (!form.file) return refusal(400, "'file' is a required property");
    if (form.purpose !== 'fine-tune') return refusal(400, `'${form.purpose}' is not one of ['fine-tune']`);
    const file: StoredFile = {
      id: `file-${randomUUID().replaceAll('-', '').slice(0, 22)}`,
      object: 'file',
      bytes: Buffer.byteLength(form.file.text),
      created_at: seconds(),
      filename: form.file.name,
      purpose: form.purpose,
      status: 'processed',
      text: form.file.text,
    };
    this.files.set(file.id, file);
    const { text: _text, ...record } = file;
    return ok(record);
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
    this.#say(job, `Created fine-tuning job: ${id}`);
    return ok(this.#record(job));
  }

  #advance(job: StoredJob): void {
    const { steps = 3, held = false, failure } = this.options;
    if (job.status === 'validating_files') {
      const problem = this.#fileProblem(job);
      if (problem !== null) return this.#fail(job, 'invalid_training_file', problem);
      job.status = 'queued';
      return this.#say(job, 'Files validated, moving job to queued state');
    }
    if (job.status === 'queued') {
      job.status = 'running';
      return this.#say(job, 'Fine-tuning job started');
    }
    if (job.status !== 'running' || (held && job.step > 0)) return;
    if (failure !== undefined && job.step > 0) return this.#fail(job, 'server_error', failure);
    if (job.step < steps) return this.#step(job, steps);
    job.status = 'succeeded';
    this.#say(job, 'The job has successfully completed');
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
    this.#say(job, `Step ${job.step}/${steps}: training loss=${train_loss}`, { type: 'metrics', data });
  }

  #fail(job: StoredJob, code: string, message: string): void {
    job.status = 'failed';
    job.error = { code, message, param: 'training_file' };
    this.#say(job, message, { level: 'error' });
  }

  #cancel(job: StoredJob): FinetuningReply {
    if (['succeeded', 'failed', 'cancelled'].includes(job.status))
      return refusal(400, `Job has already completed: ${job.id}`);
    job.status = 'cancelled';
    this.#say(job, 'Fine-tuning job successfully canceled');
    return ok(this.#record(job));
  }

  #say(job: StoredJob, message: string, more: Json = {}): void {
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

  #fileProblem({ training_file, validation_file }: StoredJob): string | null {
    const lines = linesOf(this.files.get(training_file)?.text);
    if (lines.length < MIN_EXAMPLES)
      return `Training file has ${lines.length} example(s), but must have at least ${MIN_EXAMPLES} examples`;
    const all = validation_file === null ? lines : [...lines, ...linesOf(this.files.get(validation_file)?.text)];
    const at = all.findIndex((line) => !isExample(line));
    return at < 0 ? null : `Invalid file format. Line ${at + 1} is not a chat example`;
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
      fine_tuned_model: status === 'succeeded' ? this.#nameOf(job) : null,
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

const page = (data: Json[]): Json => ({ object: 'list', data, has_more: false });
const linesOf = (text = ''): string[] => text.split('\n').filter((line) => line.trim() !== '');

function isExample(line: string): boolean {
  try {
    const { messages } = JSON.parse(line) as {
      messages?: { role?: string; content?: unknown; tool_calls?: unknown }[];
    };
    const last = messages?.at(-1);
    return last?.role === 'assistant' && (typeof last.content === 'string' || Array.isArray(last.tool_calls));
  } catch {
    return false;
  }
}

/** The fields of an uploaded form. */
function formOf(body: string, contentType: string): { purpose?: string; file?: { name: string; text: string } } {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  const form: ReturnType<typeof formOf> = {};
  for (const part of boundary === undefined ? [] : body.split(`--${boundary}`)) {
    const [head = '', text] = [part.slice(0, part.indexOf('\r\n\r\n')), part.slice(part.indexOf('\r\n\r\n') + 4, -2)];
    const name = /name="([^"]*)"/.exec(head)?.[1];
    if (name === 'purpose') form.purpose = text;
    if (name === 'file') form.file = { name: /filename="([^"]*)"/.exec(head)?.[1] ?? '', text };
  }
  return form;
}
