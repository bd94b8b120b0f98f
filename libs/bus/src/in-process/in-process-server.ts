import { Inject, Injectable, Optional } from '@nestjs/common';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import {
  ApiError,
  type Call,
  type Caller,
  type Chunk,
  type Chunks,
  type Endpoint,
  notFound,
  toApiError,
} from '@signalbox/contracts';
import {
  FLUSH_PENDING,
  type FlushPending,
  GracefulStop,
  IDEMPOTENCY,
  type IdempotencyStore,
  LOGGER,
  type Logger,
  PushStream,
  rpcDuration,
  tracing,
  withTimeout,
} from '@signalbox/platform';
import { tracedCall } from '../calls/call-span.js';
import { logFailure } from '../calls/server/failure-log.js';
import { HandlerCalls } from '../calls/server/handler-calls.js';
import type { ChunkedReply, RpcTransport } from '../calls/rpc-transport.js';
import type { WireReply } from '../calls/wire.js';

type Work<T> = (handler: MessageHandler, caller: Caller) => Promise<T>;

/**
 * Serves callers in the same process like a bus call, except that the caller has validated the input and nothing is
 * encoded or sent.
 */
@Injectable()
export class InProcessServer extends Server implements CustomTransportStrategy, RpcTransport {
  private readonly calls: HandlerCalls;
  private readonly contracts = new Set<string>();
  private inFlight = 0;
  private idle: (() => void) | undefined;

  constructor(
    @Inject(LOGGER) private readonly log: Logger,
    private readonly stop: GracefulStop,
    @Optional() @Inject(IDEMPOTENCY) store?: IdempotencyStore,
    @Optional() @Inject(FLUSH_PENDING) private readonly flushPending?: FlushPending,
  ) {
    super();
    this.calls = new HandlerCalls(store, stop, null);
  }

  listen(callback: () => void): void {
    for (const subject of this.messageHandlers.keys()) this.contracts.add(subject.split('.')[1] ?? '');
    callback();
  }

  serves(endpoint: Endpoint): boolean {
    return this.messageHandlers.has(endpoint.subject);
  }

  pendingWrites({ readsAfter }: Endpoint, { companyId }: Caller): Promise<void> | null {
    if (readsAfter === undefined || !this.contracts.has(readsAfter)) return null;
    return this.flushPending?.([companyId]) ?? null;
  }

  request(endpoint: Endpoint, input: object, caller: Caller, signal?: AbortSignal): Promise<WireReply> {
    return this.watched(endpoint, caller, async (handler, each) => {
      const answer = this.calls.answer(handler, endpoint, callOf(input, each, signal));
      const { text, headers } = await inTime(answer, each);
      return { body: text, headers };
    });
  }

  open(endpoint: Endpoint, input: object, caller: Caller, signal?: AbortSignal): Promise<ChunkedReply> {
    return this.watched(endpoint, caller, async (handler, each) => {
      const reply = await this.calls.chunks(handler, endpoint, callOf(input, each, signal));
      return opened(reply);
    });
  }

  async close(): Promise<void> {
    this.stop.begin();
    if (this.inFlight > 0) await this.stop.within(new Promise<void>((resolve) => (this.idle = resolve)));
  }

  on(): void {
    throw new Error('event listeners are not supported by this transport');
  }

  unwrap<T>(): T {
    return this as never;
  }

  private watched<T>(endpoint: Endpoint, caller: Caller, work: Work<T>): Promise<T> {
    if (!tracing) return this.measured(endpoint, caller, work);
    return tracedCall(tracing, 'internal', endpoint, caller, (each) => this.measured(endpoint, each, work));
  }

  private async measured<T>(endpoint: Endpoint, caller: Caller, work: Work<T>): Promise<T> {
    const started = performance.now();
    let status = 200;
    this.inFlight++;
    try {
      const handler = this.messageHandlers.get(endpoint.subject);
      if (!handler) throw notFound('endpoint');
      return await work(handler, caller);
    } catch (thrown) {
      const error = toApiError(thrown);
      status = error.status;
      logFailure(this.log, error, thrown, { subject: endpoint.subject, requestId: caller.requestId });
      throw error;
    } finally {
      rpcDuration.observe({ endpoint: endpoint.subject, status }, (performance.now() - started) / 1000);
      if (--this.inFlight === 0) this.idle?.();
    }
  }
}

const callOf = (input: object, caller: Caller, signal: AbortSignal | undefined): Call<object> =>
  signal ? { input, caller, signal } : { input, caller };

const inTime = <T>(reply: Promise<T>, { deadline }: Caller): Promise<T> =>
  withTimeout(reply, deadline - Date.now(), () => {
    throw new ApiError('timeout', 'the call did not end in time');
  });

async function opened(reply: Chunks): Promise<ChunkedReply> {
  // A handler that returns a push stream has started.
  if (reply.chunks instanceof PushStream) return reply;
  const rest = reply.chunks[Symbol.asyncIterator]();
  const first = await rest.next();
  return { headers: reply.headers, chunks: { [Symbol.asyncIterator]: () => new FromFirst(first, rest) } };
}

class FromFirst implements AsyncIterator<Chunk> {
  constructor(
    private first: IteratorResult<Chunk> | null,
    private readonly rest: AsyncIterator<Chunk>,
  ) {}

  next(): Promise<IteratorResult<Chunk>> {
    const { first } = this;
    this.first = null;
    return first ? Promise.resolve(first) : this.rest.next();
  }

  async return(): Promise<IteratorResult<Chunk>> {
    await this.rest.return?.();
    return { done: true, value: undefined };
  }
}
