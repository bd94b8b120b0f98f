import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FinetuningJobs } from './finetuning-jobs.js';
import { bodyOf, listen, pause, type ListenOptions } from './http-listener.js';
import { completionOf } from './model-completions.js';
import { echoReply, type AnswerReply, type ModelReply, type ModelRequest } from './model-replies.js';
import { seededRandom } from './seeded-random.js';
import { type ModelCall, stream, fail, refuse, json, send } from './model-calls.js';

/** `index` counts chat requests from 0. */
export type ModelScript = (request: ModelRequest, index: number) => ModelReply | Promise<ModelReply>;

export interface ModelProviderOptions extends ListenOptions {
  /** Bearer token required when given. */
  apiKey?: string;
  /** Served by `/v1/models`; unknown ones are refused. Any name by default. */
  models?: string[];
  script?: ModelScript;
  latencyMs?: number | [from: number, to: number];
  /** Share of chat requests answered with 500. */
  errorRate?: number;
  /** Share of chat requests without a reply. */
  hangRate?: number;
  seed?: number;
  finetuning?: FinetuningJobs;
}

/** `url` is the base URL for clients. */
export interface ModelProvider {
  url: string;
  port: number;
  calls: ModelCall[];
  answerWith(script: ModelScript): void;
  close(): Promise<void>;
}

/** OpenAI-compatible: `/v1/chat/completions` (JSON and SSE) and `/v1/models`. */
export async function startModelProvider(options: ModelProviderOptions = {}): Promise<ModelProvider> {
  const provider = new Provider(options);
  const listener = await listen((request, response) => {
    provider.answer(request, response).catch(() => response.destroy());
  }, options);
  return {
    url: `${listener.origin}/v1`,
    port: listener.port,
    calls: provider.calls,
    answerWith: (script) => void (provider.script = script),
    close: listener.close,
  };
}

class Provider {
  readonly calls: ModelCall[] = [];
  script: ModelScript;
  readonly #random: () => number;
  #chats = 0;

  constructor(private readonly options: ModelProviderOptions) {
    this.script = options.script ?? echoReply;
    this.#random = seededRandom(options.seed ?? 1);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await this.#record(request, response);
    response.setHeader('x-request-id', `req_${this.calls.length}`);
    const path = call.path.split('?')[0];
    if (!this.#authorized(call)) return refuse(response, call, 401, 'Incorrect API key provided.', 'invalid_api_key');
    if (path === '/v1/models' && call.method === 'GET') return json(response, call, 200, this.#models());
    if (path === '/v1/chat/completions' && call.method === 'POST') return this.#chat(call, response);
    await this.options.finetuning?.options.beforeEffect?.(call);
    const finetuning = this.options.finetuning?.reply(call);
    await this.options.finetuning?.options.beforeReply?.(call);
    if (finetuning) return json(response, call, finetuning.status, finetuning.body);
    return refuse(response, call, 404, `Invalid URL (${call.method} ${path})`, null);
  }

  async #record(request: IncomingMessage, response: ServerResponse): Promise<ModelCall> {
    const startedAt = Date.now();
    const { method = '', url: path = '', headers } = request;
    const remotePort = request.socket.remotePort ?? 0;
    const body = parsed(await bodyOf(request));
    const call: ModelCall = {
      method,
      path,
      headers,
      remotePort,
      body,
      startedAt,
      endedAt: null,
      status: null,
      aborted: false,
      chunks: 0,
    };
    this.calls.push(call);
    response.once('close', () => {
      call.endedAt = Date.now();
      call.aborted = !response.writableFinished;
    });
    return call;
  }

  #authorized(call: ModelCall): boolean {
    const { apiKey } = this.options;
    return apiKey === undefined || call.headers.authorization === `Bearer ${apiKey}`;
  }

  #models() {
    const data = (this.options.models ?? ['fake-model']).map((id) => ({
      id,
      object: 'model',
      created: 0,
      owned_by: 'world',
    }));
    return { object: 'list', data };
  }

  async #chat(call: ModelCall, response: ServerResponse): Promise<void> {
    const request = call.body as ModelRequest;
    if (typeof request?.model !== 'string' || !Array.isArray(request.messages)) {
      return refuse(response, call, 400, "Missing required parameter: 'messages'.", 'missing_required_parameter');
    }
    if (this.options.models && !this.options.models.includes(request.model)) {
      return refuse(response, call, 404, `The model '${request.model}' does not exist.`, 'model_not_found');
    }
    await this.#give(request, await this.#next(request), call, response);
  }

  async #next(request: ModelRequest): Promise<Exclude<ModelReply, string>> {
    const index = this.#chats++;
    const { errorRate = 0, hangRate = 0 } = this.options;
    const [fails, hangs] = [this.#random() < errorRate, this.#random() < hangRate];
    if (hangs) return { hang: true };
    if (fails) return { error: { status: 500 } };
    const reply = await this.script(request, index);
    return typeof reply === 'string' ? { text: reply } : reply;
  }

  async #give(request: ModelRequest, reply: Exclude<ModelReply, string>, call: ModelCall, response: ServerResponse) {
    await pause(reply.latencyMs ?? this.#latency());
    if ('hang' in reply) return;
    if ('reset' in reply) return void response.destroy();
    if ('error' in reply) return fail(response, call, reply);
    if ('raw' in reply) return send(response, call, reply.raw.status, reply.raw.headers, reply.raw.body);
    const answer = reply as AnswerReply;
    if (request.stream === true) return stream(request, answer, call, response);
    return json(response, call, 200, completionOf(request, answer));
  }

  #latency(): number {
    const { latencyMs = 0 } = this.options;
    return Array.isArray(latencyMs) ? latencyMs[0] + this.#random() * (latencyMs[1] - latencyMs[0]) : latencyMs;
  }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return body.toString('utf8');
  }
}
