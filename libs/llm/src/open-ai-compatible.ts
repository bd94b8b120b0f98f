import type { PushStream } from '@signalbox/platform';
import type { Destination, Egress, EgressCall, EgressResponse, EgressStream, EgressTarget } from '@signalbox/egress';
import type { ChatChunk, ChatCompletion, ChatRequest } from './chat.js';
import { Circuits, type CircuitScope } from './circuits.js';
import { withSecrets } from './credentials.js';
import { errorIn, failed, parsed, refusalError, transportError } from './failures.js';
import type { CallContext, ChatProvider } from './provider.js';
import { DEFAULT_RETRY, delayBefore, isRetryable, waited, type RetryPolicy } from './retry.js';
import { AnsweredChunks, beginningOf } from './streaming.js';

export interface OpenAiCompatibleOptions {
  /** Includes the version, as in SDKs: `https://api.openai.com/v1`. */
  baseUrl: string;
  apiKey?: string | null;
  headers?: Record<string, string>;
  egress: Egress;
  allow?: string[];
  companyId?: number;
  /** Unique within the company; by default the base URL. */
  provider?: string;
  /** Shared by all providers of a process; by default the provider's own. */
  circuits?: Circuits;
  retry?: Partial<RetryPolicy>;
}

const MAX_ANSWER_BYTES = 20_000_000;
const COMPLETIONS = '/chat/completions';

export function openAiCompatible(options: OpenAiCompatibleOptions): ChatProvider {
  return new OpenAiCompatible(options);
}

class OpenAiCompatible implements ChatProvider {
  readonly #target: EgressTarget;
  readonly #destinations = new Map<string, Destination>();
  readonly #circuits: Circuits;
  readonly #scope: CircuitScope;
  readonly #retry: RetryPolicy;

  constructor(private readonly options: OpenAiCompatibleOptions) {
    const { headers, secrets } = withSecrets(options.apiKey, options.headers);
    this.#target = { url: options.baseUrl.replace(/\/+$/, ''), method: 'POST', headers, secrets, allow: options.allow };
    const host = URL.canParse(options.baseUrl) ? new URL(options.baseUrl).host : options.baseUrl;
    this.#circuits = options.circuits ?? new Circuits();
    this.#scope = { companyId: options.companyId ?? 0, provider: options.provider ?? options.baseUrl, host };
    this.#retry = { ...DEFAULT_RETRY, ...options.retry };
  }

  async complete(request: ChatRequest, context: CallContext, written?: string): Promise<ChatCompletion> {
    const body =
      written === undefined || request.stream_options
        ? JSON.stringify({ ...request, stream_options: undefined, stream: false })
        : `{"model":${JSON.stringify(request.model)},"stream":false,${written.slice(1)}`;
    const answer = await this.#withRetries(context, request.model, (left) =>
      this.#json('POST', COMPLETIONS, context, left, body),
    );
    if (isCompletion(answer)) return answer;
    throw errorIn(answer) ?? failed('invalid_response', 'the provider did not answer with a chat completion');
  }

  async stream(request: ChatRequest, context: CallContext, written?: string): Promise<PushStream<ChatChunk>> {
    const { model, stream_options: options = null } = request;
    const body =
      written === undefined
        ? JSON.stringify({ ...request, stream: true })
        : `{"model":${JSON.stringify(model)},"stream":true,"stream_options":${JSON.stringify(options)},${written.slice(1)}`;
    // Retried only until the headers have arrived: deltas already received cannot be withdrawn.
    return new AnsweredChunks(
      await this.#withRetries(context, request.model, (left) => this.#open(body, context, left)),
    );
  }

  async models(context: CallContext): Promise<string[]> {
    const answer = await this.#withRetries(context, '', (left) => this.#json('GET', '/models', context, left));
    const { data } = (answer ?? {}) as { data?: unknown };
    if (!Array.isArray(data)) throw failed('invalid_response', 'the provider did not answer with a list of models');
    return data.map((model: { id?: unknown }) => model?.id).filter((id) => typeof id === 'string');
  }

  /** Until one succeeds, another cannot help, or time or budget is used up. */
  async #withRetries<Answer>(
    context: CallContext,
    model: string,
    attempt: (leftMs: number) => Promise<Answer>,
  ): Promise<Answer> {
    const deadline = Date.now() + context.timeoutMs;
    const circuit = this.#circuits.of(this.#scope, model);
    circuit.budget.earn();
    for (let retry = 0; ; retry += 1) {
      try {
        return await circuit.run(() => attempt(Math.max(1, deadline - Date.now())));
      } catch (error) {
        if (retry >= this.#retry.maxRetries || !isRetryable(error)) throw error;
        const delay = delayBefore(retry, error, this.#retry);
        if (Date.now() + delay >= deadline || !circuit.budget.spend()) throw error;
        await waited(delay, context.signal);
      }
    }
  }

  async #json(method: string, path: string, context: CallContext, leftMs: number, body?: string): Promise<unknown> {
    let answer: EgressResponse;
    try {
      answer = await this.options.egress.fetchFrom(this.#destination(method, path), callOf(context, leftMs, body));
    } catch (error) {
      throw transportError(error);
    }
    const text = answer.body.toString('utf8');
    if (!isOk(answer)) throw refusalError(answer, text);
    if (answer.truncated) throw failed('invalid_response', 'the answer of the provider is too long');
    return parsed(text);
  }

  async #open(body: string, context: CallContext, leftMs: number): Promise<EgressStream> {
    let answer: EgressStream;
    try {
      answer = await this.options.egress.streamFrom(
        this.#destination('POST', COMPLETIONS),
        callOf(context, leftMs, body),
      );
    } catch (error) {
      throw transportError(error);
    }
    const isEvents = (answer.header('content-type') ?? '').includes('text/event-stream');
    if (isOk(answer) && isEvents) return answer;
    const text = await beginningOf(answer.body);
    answer.close();
    if (isOk(answer)) throw failed('invalid_response', 'the provider did not answer with a stream');
    throw refusalError(answer, text);
  }

  #destination(method: string, path: string): Destination {
    const known = this.#destinations.get(path);
    if (known) return known;
    const { url } = this.#target;
    const made = this.options.egress.destination({ ...this.#target, url: url + path, method });
    this.#destinations.set(path, made);
    return made;
  }
}

const callOf = ({ signal }: CallContext, timeoutMs: number, body?: string): EgressCall => ({
  body,
  timeoutMs,
  maxBytes: MAX_ANSWER_BYTES,
  signal,
});

const isOk = ({ status }: { status: number }): boolean => status >= 200 && status <= 299;

function isCompletion(answer: unknown): answer is ChatCompletion {
  const { choices } = (answer ?? {}) as { choices?: unknown };
  return Array.isArray(choices) && choices.length > 0 && choices.every((choice) => Boolean(choice?.message));
}
