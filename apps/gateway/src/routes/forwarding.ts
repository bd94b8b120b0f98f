import { Inject, Injectable } from '@nestjs/common';
import { BusClient, textIn, type WireReply } from '@signalbox/bus';
import { type Caller, type Endpoint, fieldsOf, type Model, type Page, pathParameters } from '@signalbox/contracts';
import { tracing } from '@signalbox/platform';
import { Concurrency } from '../limits/concurrency.js';
import { AnonymousRateLimiter } from '../limits/anonymous-rate-limiter.js';
import type { Exchange } from '../replies/exchange.js';
import { openAiModel, openAiModels } from '../replies/openai-models.js';
import { Replies } from '../replies/replies.js';
import { disconnectSignal } from '../streams/connected.js';
import { EventStreams } from '../streams/event-streams.js';
import { IdempotencyClaims } from './idempotency-claims.js';
import { ChunkedReplies } from '../streams/chunked-replies.js';
import { UploadedBody } from '../bodies/upload-slots.js';
import type { Texts } from './input-reader.js';
import { isDownload, type RouteDefinition, PREFIX } from './route-definition.js';

/** Nest token of the timeout of a slow call in milliseconds. */
export const SLOW_MS = Symbol('slow-ms');

const CALL_MS = 30_000;
const OPENAI_PAGE = 100;

/** Forwards a call over the bus and sends its reply. */
@Injectable()
export class Forwarding {
  constructor(
    private readonly bus: BusClient,
    private readonly replies: Replies,
    private readonly streams: EventStreams,
    private readonly chunked: ChunkedReplies,
    private readonly claims: IdempotencyClaims,
    private readonly anonymous: AnonymousRateLimiter,
    private readonly slow: Concurrency,
    @Inject(SLOW_MS) private readonly slowMs: number,
  ) {}

  /** Serves one call; never throws. */
  serve(plan: RouteDefinition, exchange: Exchange): Promise<void> {
    const { span } = exchange;
    return tracing && span
      ? tracing.within(span, () => this.serveCall(plan, exchange))
      : this.serveCall(plan, exchange);
  }

  private async serveCall(plan: RouteDefinition, exchange: Exchange): Promise<void> {
    try {
      const input = this.inputOf(plan, exchange);
      const caller = this.callerOf(plan, exchange, input);
      await (plan.slow ? this.limited(plan, exchange, input, caller) : this.answer(plan, exchange, input, caller));
      if (plan.endpoint.scope === 'none') this.anonymous.refund(exchange);
    } catch (error) {
      this.replies.error(exchange, error);
    }
  }

  /** Limits concurrent long-running calls, per key and in total. */
  private async limited(plan: RouteDefinition, exchange: Exchange, input: object, caller: Caller): Promise<void> {
    const keyId = caller.keyId ?? 0;
    this.slow.enter(keyId);
    try {
      await this.answer(plan, exchange, input, caller);
    } finally {
      this.slow.leave(keyId);
    }
  }

  private inputOf(plan: RouteDefinition, { request }: Exchange): object {
    const query = request.query as Texts;
    const resumed = plan.resumable ? request.headers['last-event-id'] : undefined;
    const texts = typeof resumed === 'string' ? { ...query, last_event_id: resumed } : query;
    return plan.reader.read(request.params as Texts, texts, withHeaders(plan, request));
  }

  private callerOf({ endpoint }: RouteDefinition, { request, key, traceparent }: Exchange, input: object): Caller {
    const { headers } = request.raw;
    const caller: Caller = {
      companyId: key?.companyId ?? 0,
      keyId: key?.keyId ?? null,
      scopes: (key?.scopes ?? []) as Caller['scopes'],
      requestId: request.id,
      deadline: Date.now() + (endpoint.slow || endpoint.longDeadline ? this.slowMs : CALL_MS),
    };
    if (traceparent !== null) caller.traceparent = traceparent;
    // Without a key there is no company for the claim.
    if (endpoint.method === 'POST' && endpoint.scope !== 'none') {
      const key = headers['idempotency-key'];
      if (key !== undefined)
        caller.idempotency = this.claims.claim(key, concreteRoute(endpoint, input), comparable(request.body));
    }
    return caller;
  }

  private async answer(plan: RouteDefinition, exchange: Exchange, input: object, caller: Caller): Promise<void> {
    const { endpoint, follow, chunked, download, whenLarge } = plan;
    const { output } = endpoint;
    if ('kind' in output && output.kind === 'stream') return this.streams.open(exchange, { endpoint, input, caller });
    if (isDownload(endpoint)) return this.chunked.download(exchange, { endpoint, input, caller });
    if (download && (input as Record<string, unknown>)[download.field] === download.value)
      return this.chunked.download(exchange, { endpoint: download.endpoint, input, caller });
    const flagged = (flag: string): boolean => (input as Record<string, unknown>)[flag] === true;
    if (chunked && flagged(chunked.flag))
      return this.chunked.open(exchange, { endpoint: chunked.endpoint, input, caller });
    if (endpoint.shape === 'openai') return this.answerWhole(endpoint, exchange, input, caller);
    if (exchange.bearer && endpoint.bearer) return this.answerInOpenAiShape(endpoint, exchange, input, caller);
    const wire = await this.bus.forward(whenLarge && isLarge(exchange) ? whenLarge : endpoint, input, caller);
    if (follow && (follow.ofReply ? isFlagged(wire, follow.flag) : flagged(follow.flag)))
      return this.followReply(follow.stream.endpoint, exchange, { input, caller }, wire);
    if (!('kind' in output) || output.kind === 'list') this.replies.enveloped(exchange, wire);
    else if (output.kind === 'page') this.replies.page(exchange, wire);
    else this.replies.raw(exchange, wire);
  }

  /** A reply with the whole body; the call is cancelled when the client disconnects. */
  private async answerWhole(endpoint: Endpoint, exchange: Exchange, input: object, caller: Caller): Promise<void> {
    const left = disconnectSignal(exchange.request.raw.socket);
    this.replies.page(exchange, await this.bus.forward(endpoint, input, caller, left));
  }

  /** Opens the event stream of the task or run that the call has started. */
  private followReply(
    endpoint: Endpoint,
    exchange: Exchange,
    call: { input: object; caller: Caller },
    wire: WireReply,
  ): Promise<void> {
    const known = { ...call.input, ...(JSON.parse(textIn(wire)) as object) };
    const input = Object.fromEntries(Object.entries(known).filter(([name]) => fieldsOf(endpoint.input).has(name)));
    // The claim belongs to the call that started it; reading its events has no effect to repeat.
    const { idempotency, ...caller } = call.caller;
    void idempotency;
    return this.streams.open(exchange, { endpoint, input: { ...input, last_event_id: 0 }, caller }, wire.headers);
  }

  private async answerInOpenAiShape(
    endpoint: Endpoint,
    exchange: Exchange,
    input: object,
    caller: Caller,
  ): Promise<void> {
    const ask = async <T>(asked: object): Promise<T> =>
      JSON.parse(textIn(await this.bus.forward(endpoint, asked, caller))) as T;
    if (!('kind' in endpoint.output)) return this.replies.json(exchange, 200, openAiModel(await ask<Model>(input)));
    const models: Model[] = [];
    for (let offset = 0, total = 1; offset < total; offset += OPENAI_PAGE) {
      const page = await ask<Page<Model>>({ ...input, offset, limit: OPENAI_PAGE });
      models.push(...page.data);
      total = page.pagination.total;
    }
    this.replies.json(exchange, 200, openAiModels(models));
  }
}

/** The length of a body, in bytes, from which it is large, as is one whose length is not announced. */
const LARGE_BYTES = 65_536;

const isLarge = ({ request }: Exchange): boolean => !(Number(request.raw.headers['content-length']) < LARGE_BYTES);

/** A reply that names a stream consists of ids only. */
const MAX_IDS_BYTES = 1000;

function isFlagged(wire: WireReply, flag: string): boolean {
  if (wire.body.length > MAX_IDS_BYTES) return false;
  return (JSON.parse(textIn(wire)) as Record<string, unknown>)[flag] === true;
}

/** The body as it is compared with that of a repeated call: the upload of a file has another id each time. */
const comparable = (body: unknown): unknown =>
  body instanceof UploadedBody ? { ...body, upload: body.upload.sha256 } : body;

/** The body merged with the fields sent as headers; those of the body win. */
function withHeaders({ headers: named }: RouteDefinition, { body, headers }: Exchange['request']): unknown {
  const given = named.filter(({ header }) => typeof headers[header] === 'string');
  if (given.length === 0 || typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return { ...Object.fromEntries(given.map(({ field, header }) => [field, headers[header]])), ...body };
}

/** `METHOD /path` with the values of the call, in one normal form for every spelling. */
function concreteRoute({ method, path }: Endpoint, input: object): string {
  const values = input as Record<string, unknown>;
  const concrete = pathParameters(path).reduce(
    (text, name) => text.replace(`{${name}}`, encodeURIComponent(String(values[name]))),
    path ?? '',
  );
  return `${method} ${PREFIX}${concrete}`;
}
