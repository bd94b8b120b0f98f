import type { Egress, EgressRequest, SecretBag } from '@signalbox/egress';
import type { ChatChunk, ChatCompletion, ChatRequest } from './chat.js';
import { Circuits, type Circuit } from './circuits.js';
import { withSecrets } from './credentials.js';
import { failed, parsed, refusalError, transportError } from './failures.js';
import type { CallContext, ChatProvider } from './provider.js';
import { DEFAULT_RETRY, delayBefore, isRetryable, waited, type RetryPolicy } from './retry.js';
import { beginningOf, chunksOf, streamError } from './streaming.js';

/** Where a provider is and how it may be called. */
export interface OpenAiCompatibleOptions {
  /** With the version, as SDKs take it: `https://api.openai.com/v1`. */
  baseUrl: string;
  apiKey?: string | null;
  headers?: Record<string, string>;
  egress: Egress;
  /** Further egress entries of this company. */
  allow?: string[];
  companyId?: number;
  /** Shared by all providers of a process; without it this provider keeps its own. */
  circuits?: Circuits;
  retry?: Partial<RetryPolicy>;
}

const MAX_ANSWER_BYTES = 20_000_000;

/** A provider that speaks OpenAI's chat completions. */
export function openAiCompatible(options: OpenAiCompatibleOptions): ChatProvider {
  return new OpenAiCompatible(options);
}

class OpenAiCompatible implements ChatProvider {
  readonly #base: string;
  readonly #headers: Record<string, string>;
  readonly #secrets: SecretBag;
  readonly #circuit: Circuit;
  readonly #retry: RetryPolicy;

  constructor(private readonly options: OpenAiCompatibleOptions) {
    this.#base = options.baseUrl.replace(/\/+$/, '');
    const { headers, secrets } = withSecrets(options.apiKey, options.headers);
    this.#headers = headers;
    this.#secrets = secrets;
    const host = URL.canParse(options.baseUrl) ? new URL(options.baseUrl).host : options.baseUrl;
    this.#circuit = (options.circuits ?? new Circuits()).of(options.companyId ?? 0, host);
    this.#retry = { ...DEFAULT_RETRY, ...options.retry };
  }

  async complete(request: ChatRequest, context: CallContext): Promise<ChatCompletion> {
    const { stream_options: _, ...body } = request;
    const answer = await this.#tried(context, (left) =>
      this.#json('POST', '/chat/completions', context, left, { ...body, stream: false }),
    );
    if (!isCompletion(answer)) throw failed('invalid_response', 'the provider did not answer with a chat completion');
    return answer;
  }

  async *stream(request: ChatRequest, context: CallContext): AsyncGenerator<ChatChunk> {
    // Repeated only until the headers are there: what a caller has seen cannot be taken back.
    const answer = await this.#tried(context, (left) => this.#open({ ...request, stream: true }, context, left));
    try {
      yield* chunksOf(answer);
    } catch (error) {
      throw streamError(error);
    }
  }

  async models(context: CallContext): Promise<string[]> {
    const answer = await this.#tried(context, (left) => this.#json('GET', '/models', context, left));
    const { data } = (answer ?? {}) as { data?: unknown };
    if (!Array.isArray(data)) throw failed('invalid_response', 'the provider did not answer with a list of models');
    return data.map((model: { id?: unknown }) => model?.id).filter((id) => typeof id === 'string');
  }

  /** Runs tries until one succeeds, cannot be helped by another, or time or budget is used up. */
  async #tried<Answer>(context: CallContext, attempt: (leftMs: number) => Promise<Answer>): Promise<Answer> {
    const deadline = Date.now() + context.timeoutMs;
    this.#circuit.budget.earn();
    for (let retry = 0; ; retry += 1) {
      try {
        return await this.#circuit.run(() => attempt(Math.max(1, deadline - Date.now())));
      } catch (error) {
        if (retry >= this.#retry.maxRetries || !isRetryable(error)) throw error;
        const delay = delayBefore(retry, error, this.#retry);
        if (Date.now() + delay >= deadline || !this.#circuit.budget.spend()) throw error;
        await waited(delay, context.signal);
      }
    }
  }

  async #json(method: string, path: string, context: CallContext, leftMs: number, body?: object): Promise<unknown> {
    const answer = await this.options.egress
      .fetch(this.#request(method, path, context, leftMs, body))
      .catch((error: unknown) => Promise.reject(transportError(error)));
    const text = answer.body.toString('utf8');
    if (answer.status < 200 || answer.status > 299) throw refusalError({ ...answer, body: text });
    if (answer.truncated) throw failed('invalid_response', 'the answer of the provider is too long');
    return parsed(text);
  }

  async #open(body: object, context: CallContext, leftMs: number) {
    const answer = await this.options.egress
      .stream(this.#request('POST', '/chat/completions', context, leftMs, body))
      .catch((error: unknown) => Promise.reject(transportError(error)));
    const isEvents = (answer.headers['content-type'] ?? '').includes('text/event-stream');
    if (answer.status >= 200 && answer.status <= 299 && isEvents) return answer;
    const text = await beginningOf(answer.body);
    answer.close();
    if (answer.status >= 200 && answer.status <= 299) {
      throw failed('invalid_response', 'the provider did not answer with a stream');
    }
    throw refusalError({ ...answer, body: text });
  }

  #request(method: string, path: string, context: CallContext, leftMs: number, body?: object): EgressRequest {
    return {
      url: this.#base + path,
      method,
      headers: this.#headers,
      body: body && JSON.stringify(body),
      timeoutMs: leftMs,
      maxBytes: MAX_ANSWER_BYTES,
      signal: context.signal,
      allow: this.options.allow,
      secrets: this.#secrets,
    };
  }
}

function isCompletion(answer: unknown): answer is ChatCompletion {
  const { choices } = (answer ?? {}) as { choices?: unknown };
  return Array.isArray(choices) && choices.length > 0 && choices.every((choice) => Boolean(choice?.message));
}
