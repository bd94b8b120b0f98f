import type { Egress, EgressCall, EgressTarget } from '@signalbox/egress';
import { withSecrets } from '../credentials.js';
import { failed, parsed, refusalError, transportError } from '../failures.js';
import type { OpenAiCompatibleOptions } from '../open-ai-compatible.js';
import { type CallContext, ProviderError } from '../provider.js';
import type {
  FinetuneJob,
  FinetuneProvider,
  JobCheckpoint,
  JobEvent,
  NewJob,
  TrainingFile,
} from './finetune-provider.js';
import { checkpointOf, eventOf, jobOf, recordsIn } from './job-records.js';
import { multipartFile } from './multipart-file.js';

const JOBS = '/fine_tuning/jobs';
const MAX_ANSWER_BYTES = 5_000_000;
/** The most that a provider returns. */
const PAGE = 100;

/** OpenAI's fine-tuning protocol. Calls are not retried: the poll, which waits for days for a job, calls again. */
export class OpenAiFinetuning implements FinetuneProvider {
  readonly #target: EgressTarget;
  readonly #egress: Egress;

  constructor({
    baseUrl,
    apiKey,
    headers,
    egress,
    allow,
  }: Pick<OpenAiCompatibleOptions, 'baseUrl' | 'apiKey' | 'headers' | 'egress' | 'allow'>) {
    const rendered = withSecrets(apiKey, headers);
    this.#target = { url: baseUrl.replace(/\/+$/, ''), method: 'GET', ...rendered, allow };
    this.#egress = egress;
  }

  async uploadFile(file: TrainingFile, context: CallContext): Promise<string> {
    const known = await this.#findFile(file, context);
    if (known !== null) return known;
    const { contentType, bytes, content } = multipartFile(file, 'fine-tune');
    const headers = { ...this.#target.headers, 'content-type': contentType };
    const answer = await this.#call('POST', '/files', context, { body: content, bodyBytes: bytes }, headers);
    const { id } = (answer ?? {}) as { id?: unknown };
    if (typeof id !== 'string') throw failed('invalid_response', 'the provider did not answer with a file');
    return id;
  }

  async createJob(job: NewJob, context: CallContext): Promise<FinetuneJob> {
    const known = await this.findJob(job.training_file, context);
    if (known !== null) return known;
    const { model, training_file, validation_file, n_epochs, batch_size, learning_rate_multiplier, seed, suffix } = job;
    const hyperparameters = {
      n_epochs,
      ...(batch_size === null ? {} : { batch_size }),
      ...(learning_rate_multiplier === null ? {} : { learning_rate_multiplier }),
    };
    const body = {
      model,
      training_file,
      ...(validation_file === null ? {} : { validation_file }),
      ...(seed === null ? {} : { seed }),
      suffix,
      method: { type: 'supervised', supervised: { hyperparameters } },
    };
    return jobOf(await this.#call('POST', JOBS, context, { body: JSON.stringify(body) }));
  }

  async findJob(trainingFile: string, context: CallContext): Promise<FinetuneJob | null> {
    const jobs = recordsIn(await this.#call('GET', `${JOBS}?limit=${PAGE}`, context));
    const found = jobs.find(({ training_file }) => training_file === trainingFile);
    return found ? jobOf(found) : null;
  }

  async getJob(id: string, context: CallContext): Promise<FinetuneJob> {
    return jobOf(await this.#call('GET', jobPath(id), context));
  }

  async listEvents(id: string, context: CallContext): Promise<JobEvent[]> {
    return (await this.#newest(`${jobPath(id)}/events`, context)).map(eventOf).reverse();
  }

  async listCheckpoints(id: string, context: CallContext): Promise<JobCheckpoint[]> {
    return (await this.#newest(`${jobPath(id)}/checkpoints`, context)).map(checkpointOf).reverse();
  }

  async cancelJob(id: string, context: CallContext): Promise<void> {
    await this.#call('POST', `${jobPath(id)}/cancel`, context);
  }

  async #newest(path: string, context: CallContext): Promise<Record<string, unknown>[]> {
    return recordsIn(await this.#call('GET', `${path}?limit=${PAGE}`, context));
  }

  /** Uploaded by an earlier attempt; not every provider lists its files. */
  async #findFile({ filename, bytes }: TrainingFile, context: CallContext): Promise<string | null> {
    try {
      const files = recordsIn(await this.#call('GET', `/files?purpose=fine-tune&limit=${PAGE}&order=desc`, context));
      const found = files.find((file) => file.filename === filename && file.bytes === bytes && file.status !== 'error');
      return typeof found?.id === 'string' ? found.id : null;
    } catch (error) {
      if (error instanceof ProviderError && (error.status === 404 || error.status === 405)) return null;
      throw error;
    }
  }

  async #call(
    method: string,
    path: string,
    { signal, timeoutMs }: CallContext,
    sent: Pick<EgressCall, 'body' | 'bodyBytes'> = {},
    headers = this.#target.headers,
  ): Promise<unknown> {
    const request = { ...this.#target, url: this.#target.url + path, method, headers, ...sent };
    const limits = { signal, timeoutMs, maxBytes: MAX_ANSWER_BYTES };
    const answer = await this.#egress.fetch({ ...request, ...limits }).catch((error: unknown) => {
      throw transportError(error);
    });
    const text = answer.body.toString('utf8');
    if (answer.status < 200 || answer.status > 299) throw refusalError(answer, text);
    if (answer.truncated) throw failed('invalid_response', 'the answer of the provider is too long');
    return parsed(text);
  }
}

const jobPath = (id: string): string => `${JOBS}/${encodeURIComponent(id)}`;
