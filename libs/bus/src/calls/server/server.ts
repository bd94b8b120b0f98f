import { Inject, Injectable, Optional } from '@nestjs/common';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { setImmediate } from 'node:timers/promises';
import { type Msg, nuid, type Subscription } from '@nats-io/transport-node';
import {
  ApiError,
  type Batch,
  type Call,
  type Endpoint,
  type JsonText,
  notFound,
  parseText,
  toApiError,
} from '@signalbox/contracts';
import { calledEndpoint } from '../called-endpoint.js';
import {
  FLUSH_ALL,
  type FlushAll,
  GracefulStop,
  IDEMPOTENCY,
  type IdempotencyStore,
  LOGGER,
  type Logger,
  rpcDuration,
  type FlushPending,
  FLUSH_PENDING,
  tracing,
} from '@signalbox/platform';
import { BusConnection } from '../../connection.js';
import type { CreditWindow } from '../../chunks/credit-window.js';
import { StreamControls } from '../../chunks/stream-controls.js';
import { type Send, sendChunks } from '../../chunks/chunked-reply.js';
import { resourceOf } from '../client/nats-transport.js';
import { frameBatch, isBatch, readBatch } from '../batch-frames.js';
import { servedCall } from '../call-span.js';
import { isFrame } from '../frames/frames.js';
import { callsIn, type ReceivedCall } from '../frames/received-frames.js';
import { CallsInFlight } from './calls-in-flight.js';
import { subscribeToCalls } from './call-subscriptions.js';
import { PROCESS_ROLE, type ProcessRole } from '../../process-role.js';
import { presenceSubject } from '../failure-detection/presence.js';
import { logFailure } from './failure-log.js';
import { HandlerCalls, run } from './handler-calls.js';
import { PendingWrites } from './pending-writes.js';
import { type Outgoing, Replies } from './replies.js';
import { callerFrom, isOwnInbox, readCallSubject } from '../senders.js';
import {
  decode,
  encode,
  errorReply,
  readCaller,
  readDepth,
  FAST_KEEPALIVES,
  replyHeaders,
  requestIdIn,
  KEEPALIVES,
} from '../wire.js';

/** Bytes of one length in the reply to a batch. */
const LENGTH_BYTES = 12;

/**
 * One queue subscription per served contract. Input is validated here as well, because callers other than the gateway
 * do not.
 */
@Injectable()
export class BusServer extends Server implements CustomTransportStrategy {
  private readonly id = nuid.next();
  private subscriptions: Subscription[] = [];
  private readonly inFlight = new CallsInFlight();
  private idle: (() => void) | undefined;
  private readonly calls: HandlerCalls;
  private readonly controls: StreamControls;
  private readonly replies: Replies;
  private readonly pendingWrites: PendingWrites;

  constructor(
    private readonly connection: BusConnection,
    @Inject(LOGGER) private readonly log: Logger,
    private readonly stop: GracefulStop,
    @Optional() @Inject(IDEMPOTENCY) store?: IdempotencyStore,
    @Optional() @Inject(FLUSH_PENDING) flushPending?: FlushPending,
    @Optional() @Inject(FLUSH_ALL) flushAll?: FlushAll,
    @Optional() @Inject(PROCESS_ROLE) private readonly role: ProcessRole = 'all',
  ) {
    super();
    this.controls = new StreamControls(connection);
    this.replies = new Replies(connection, log, this.id);
    this.calls = new HandlerCalls(store, stop, connection);
    this.pendingWrites = new PendingWrites(flushPending, flushAll);
  }

  listen(callback: (error?: unknown) => void): void {
    const endpoints = [...this.messageHandlers.values()].flatMap(
      ({ extras }) => (extras?.endpoint as Endpoint | undefined) ?? [],
    );
    const receive = (message: Msg): void => this.receive(message);
    const { nats, name } = this.connection;
    const options = { id: this.id, queue: name, log: this.log, receive };
    const subscribe = (): void => {
      this.subscriptions = subscribeToCalls(nats, endpoints, this.role, options);
    };
    subscribe();
    this.connection.beforeMove(() => this.unsubscribe());
    this.connection.onReconnect(() => {
      if (this.subscriptions.length === 0 && !this.stop.stopping.aborted) subscribe();
    });
    // Stays subscribed while the process stops: it still works on the calls in flight.
    if (endpoints.length > 0) nats.subscribe(presenceSubject(name, this.id), { callback: () => undefined });
    if (endpoints.some(({ abandonable }) => abandonable)) this.controls.listen();
    // Before the server acknowledges, a call would find no responder.
    nats.flush().then(() => callback(), callback);
  }

  private receive(message: Msg): void {
    if (!isFrame(message)) return this.begin(message);
    try {
      for (const call of callsIn(this.connection.nats, message)) this.begin(call);
    } catch (thrown) {
      const error = toApiError(thrown);
      logFailure(this.log, error, thrown, { subject: message.subject });
      this.replies.send(message, errorReply(error));
    }
  }

  private begin(call: ReceivedCall): void {
    void (tracing ? servedCall(tracing, call, () => this.serve(call)) : this.serve(call));
  }

  /** Returns the status; never throws. */
  private async serve(message: ReceivedCall): Promise<number> {
    const started = process.hrtime.bigint();
    const { sender, endpoint } = readCallSubject(message.subject);
    const depth = readDepth(message.headers);
    const isAdmitted = this.inFlight.begin(depth);
    let status = 200;
    let outgoing: Outgoing | null;
    try {
      if (!isOwnInbox(sender, message.reply))
        throw new ApiError('invalid', `the reply inbox does not belong to the caller ${sender}`);
      if (!isAdmitted && !isHealthCheck(endpoint))
        throw new ApiError('unavailable', 'the service is overloaded', { retryAfter: 1 });
      const given = await this.answer(message, sender, endpoint);
      outgoing = typeof given === 'number' ? null : given;
      if (typeof given === 'number') status = given;
    } catch (thrown) {
      const error = toApiError(thrown);
      status = error.status;
      this.logFailure(message, thrown);
      outgoing = errorReply(error);
    }
    // Without an inbox of its sender a call gets no reply: it would reach an inbox chosen by a forger.
    if (outgoing && isOwnInbox(sender, message.reply)) this.replies.send(message, outgoing);
    rpcDuration.observe({ endpoint, status }, Number(process.hrtime.bigint() - started) / 1e9);
    this.inFlight.end(depth);
    if (this.inFlight.all === 0) this.idle?.();
    return status;
  }

  private async answer(message: ReceivedCall, sender: string, subject: string): Promise<Outgoing | number> {
    const handler = this.messageHandlers.get(subject);
    const endpoint = handler?.extras?.endpoint as Endpoint | undefined;
    if (!handler || !endpoint) throw notFound('endpoint');
    const pending = this.pendingWrites.before(endpoint, () => companiesOf(endpoint, message));
    if (pending) await pending;
    if (endpoint.batchable && isBatch(message.data)) return this.answerBatch(handler, endpoint, message);
    if (endpoint.batchable) return this.answerKey(handler, endpoint, message, callOf(endpoint, sender, message, null));
    const isChunked = 'kind' in endpoint.output && endpoint.output.kind === 'chunks';
    return this.controls.within<Outgoing | number>(message, (flow) =>
      isChunked
        ? this.answerInChunks(handler, endpoint, message, callOf(endpoint, sender, message, flow), flow)
        : this.answerOne(handler, endpoint, message, callOf(endpoint, sender, message, flow)),
    );
  }

  private logFailure({ headers, subject }: ReceivedCall, thrown: unknown): void {
    logFailure(this.log, toApiError(thrown), thrown, { subject, requestId: requestIdIn(headers) });
  }

  private async answerInChunks(
    handler: MessageHandler,
    endpoint: Endpoint,
    message: ReceivedCall,
    call: Call<object>,
    flow: CreditWindow | null,
  ): Promise<number> {
    const send: Send = (payload, headers) => this.replies.send(message, { payload, ...(headers ? { headers } : {}) });
    const stopKeepalives = this.replies.startKeepalives(message, KEEPALIVES);
    try {
      const chunks = await this.calls.chunks(handler, endpoint, call);
      return await sendChunks(chunks, flow, send, (thrown) => this.logFailure(message, thrown));
    } finally {
      stopKeepalives();
    }
  }

  private async answerBatch(handler: MessageHandler, endpoint: Endpoint, message: ReceivedCall): Promise<Outgoing> {
    const { keys } = readBatch(message.data);
    const safe = keys.every((key) => Number.isInteger(key.id) && Number.isInteger(key.companyId));
    if (!safe) throw new ApiError('invalid', 'the keys of a batch must be integers');
    const stopKeepalives = this.replies.startKeepalives(message, FAST_KEEPALIVES);
    const reading = run(handler, { keys } satisfies Batch).finally(stopKeepalives);
    const bodies = (await reading) as (JsonText<unknown> | null)[];
    const texts = bodies.map((body) => body?.text ?? null);
    const payload = frameBatch(texts, this.replies.maxBytes - texts.length * LENGTH_BYTES);
    if (mayRefuse(endpoint)) this.replies.requireCarried(payload);
    return { payload };
  }

  /** A single read of a batchable endpoint, which earlier releases send. */
  private async answerKey(
    handler: MessageHandler,
    endpoint: Endpoint,
    message: ReceivedCall,
    call: Call<object>,
  ): Promise<Outgoing> {
    const other = calledEndpoint(endpoint, call.input);
    const alone = this.messageHandlers.get(other.subject);
    if (other !== endpoint && alone) return this.answerOne(alone, other, message, call);
    const id = (call.input as Record<string, number>)[endpoint.batchable ?? ''] ?? 0;
    const batch = { keys: [{ companyId: call.caller.companyId, id }] } satisfies Batch;
    const [body] = (await run(handler, batch)) as (JsonText<unknown> | null)[];
    if (!body) throw notFound(resourceOf(endpoint));
    return { payload: encode(body.text) };
  }

  private async answerOne(
    handler: MessageHandler,
    endpoint: Endpoint,
    message: ReceivedCall,
    call: Call<object>,
  ): Promise<Outgoing> {
    const stopKeepalives = this.replies.startKeepalives(message, endpoint.slow ? KEEPALIVES : FAST_KEEPALIVES);
    try {
      const answer = await this.pendingWrites.found(endpoint, () => this.calls.answer(handler, endpoint, call));
      const payload = encode(answer.text);
      if (mayRefuse(endpoint)) this.replies.requireCarried(payload);
      return answer.headers ? { payload, headers: replyHeaders(answer.headers) } : { payload };
    } finally {
      stopKeepalives();
    }
  }

  /** Resolves when all calls under way to this process have arrived. */
  private async unsubscribe(): Promise<void> {
    const ended = this.subscriptions;
    this.subscriptions = [];
    await Promise.all(ended.map((subscription) => subscription.drain().catch(() => undefined)));
  }

  async close(): Promise<void> {
    this.stop.begin();
    await this.stop.within(this.unsubscribe());
    const ended =
      this.inFlight.all === 0 || (await this.stop.within(new Promise<void>((resolve) => (this.idle = resolve))));
    // The last replies are sent at the end of this turn.
    await setImmediate();
    if (!ended) this.log.warn({ calls: this.inFlight.all }, 'calls in flight exceed the grace period and are cut off');
  }

  on(): void {
    throw new Error('event listeners are not supported by this transport');
  }

  unwrap<T>(): T {
    return this.connection.nats as T;
  }
}

/** Any other reply that is too large is an internal error. */
const mayRefuse = ({ method, errors }: Endpoint): boolean => method === 'GET' && errors?.includes('refused') === true;

/** Shedding health checks would report a busy service as down. */
const isHealthCheck = (subject: string): boolean => subject.startsWith('rpc.health-');

function companiesOf({ batchable }: Endpoint, { data, headers }: ReceivedCall): number[] {
  if (batchable && isBatch(data)) return [...new Set(readBatch(data).keys.map(({ companyId }) => companyId))];
  return [readCaller(headers).companyId];
}

function callOf(endpoint: Endpoint, sender: string, message: ReceivedCall, flow: CreditWindow | null): Call<object> {
  const caller = callerFrom(sender, readCaller(message.headers));
  if (caller.deadline < Date.now()) throw new ApiError('timeout', 'the caller has stopped waiting');
  const input = parseText(endpoint.input, decode(message.data));
  return flow ? { input, caller, signal: flow.signal } : { input, caller };
}
