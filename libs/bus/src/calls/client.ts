import { nuid, type Msg } from '@nats-io/transport-node';
import {
  ApiError,
  type Caller,
  type Endpoint,
  type EndpointDeclaration,
  type InputOf,
  JsonText,
  notFound,
  type OutputOf,
} from '@signalbox/contracts';
import { markFailed, tracing } from '@signalbox/platform';
import { CallLost } from '../reattach/call-lost.js';
import { callerIn, callSpan, sharedTrace, tracedCall } from './call-span.js';
import { Coalescer } from './coalescer.js';
import type { BusConnection } from '../connection.js';
import { flowSubject } from '../chunks/flow.js';
import type { InProcessServer, ChunkedReply } from '../in-process/in-process-server.js';
import { OpenCalls } from './open-calls.js';
import { isReattachable, reattaching } from '../reattach/reattach.js';
import { callSubject } from './senders.js';
import { SilenceWatch } from './silence-watch.js';
import { ReattachingReply } from '../reattach/reattaching-reply.js';
import { StreamReply } from '../chunks/stream-reply.js';
import {
  callerHeaders,
  encode,
  isWorking,
  readReply,
  type ReceivedReply,
  FAST_SILENCE_MS,
  SILENCE_MS,
  textIn,
  traceHeaders,
  type WireReply,
} from './wire.js';

/** How long after its deadline a chunked reply may still deliver its timeout error. */
const LATE_MS = 2000;

interface Waiting {
  resolve: (reply: ReceivedReply | Promise<ReceivedReply>) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
  /** Rejects when the call has sent no keepalive for too long: its service is lost. */
  silence: SilenceWatch;
  service: string;
}

/**
 * Calls endpoints of other services. All replies arrive on one inbox subscription: Nest's own client creates an inbox
 * per request, and the NATS client's `request` builds an error with a stack for every success.
 */
export class BusClient {
  private readonly inboxes = `_INBOX.${this.connection.name}.`;
  private readonly id = nuid.next();
  private readonly calls = new OpenCalls<Waiting>();
  private readonly streams = new Map<string, StreamReply>();
  private readonly coalescers = new Map<string, Coalescer>();
  private issued = 0;
  private inProcess: InProcessServer | undefined;

  constructor(
    private readonly connection: BusConnection,
    /**
     * True where calls of clients arrive: their idempotency claims travel with the call itself, never with nested
     * calls.
     */
    private readonly carriesClaims = false,
  ) {
    connection.nats.subscribe(`${this.inboxes}*.${this.id}.*`, {
      callback: (error, message) => this.receive(error, message),
    });
  }

  /** Routes calls of the endpoints that the in-process server serves to it instead of the bus. */
  useInProcess(server: InProcessServer): void {
    this.inProcess = server;
  }

  /**
   * Calls an endpoint and parses its reply. Errors are ApiErrors; a service without a running process is 503 at once.
   */
  async call<E extends EndpointDeclaration>(
    endpoint: Endpoint & E,
    input: InputOf<E> | JsonText<InputOf<E>>,
    caller: Caller,
  ): Promise<OutputOf<E['output']>> {
    const reply = await this.forward(endpoint, input, caller);
    return JSON.parse(textIn(reply)) as OutputOf<E['output']>;
  }

  /** Calls an endpoint and returns its reply as bytes; aborting `signal` cancels an abandonable call in its service. */
  forward(endpoint: Endpoint, input: object, given: Caller, signal?: AbortSignal): Promise<WireReply> {
    const { inProcess } = this;
    const caller = this.callerOf(given);
    if (inProcess?.serves(endpoint)) return inProcess.forward(endpoint, input, caller, signal);
    const pending = inProcess?.pendingWrites(endpoint);
    const ask = () => this.forwardOverBus(endpoint, input, caller, signal);
    return pending ? pending.then(ask) : ask();
  }

  private forwardOverBus(
    endpoint: Endpoint,
    input: object,
    caller: Caller,
    signal: AbortSignal | undefined,
  ): Promise<WireReply> {
    if (isReattachable(endpoint)) return reattaching(caller, (each) => this.sendTraced(endpoint, input, each, signal));
    return this.sendTraced(endpoint, input, caller, signal);
  }

  private sendTraced(
    endpoint: Endpoint,
    input: object,
    caller: Caller,
    signal: AbortSignal | undefined,
  ): Promise<WireReply> {
    if (!tracing) return this.sendOverBus(endpoint, input, caller, signal);
    return tracedCall(tracing, 'client', endpoint, caller, (each) => this.sendOverBus(endpoint, input, each, signal));
  }

  private sendOverBus(
    endpoint: Endpoint,
    input: object,
    caller: Caller,
    signal: AbortSignal | undefined,
  ): Promise<WireReply> {
    const { service, batchable } = endpoint;
    if (batchable) return this.read(endpoint, (input as Record<string, number>)[batchable] ?? 0, caller);
    const flow = signal && endpoint.abandonable ? this.newFlow() : undefined;
    const headers = callerHeaders(caller, flow);
    const repeatable = !endpoint.slow && (endpoint.method === 'GET' || caller.idempotency !== undefined);
    const reply = this.send(endpoint, encode(textOf(input)), headers, caller.deadline, repeatable);
    return signal && flow ? this.unless(signal, service, flow, reply) : reply;
  }

  /**
   * Calls an endpoint with a chunked reply; resolves with the first chunk. Chunks are read no faster than the iterable
   * is consumed; returning from the iterable, or aborting `signal`, cancels the call in its service.
   */
  stream(endpoint: Endpoint, input: object, given: Caller, signal?: AbortSignal): Promise<ChunkedReply> {
    const { inProcess } = this;
    const caller = this.callerOf(given);
    if (inProcess?.serves(endpoint)) return inProcess.stream(endpoint, input, caller, signal);
    if (!isReattachable(endpoint)) return this.streamOverBus(endpoint, input, caller, signal);
    return reattaching(caller, async (each) => {
      const open = (again: Caller) => this.streamOverBus(endpoint, input, again, signal);
      return new ReattachingReply(await open(each), each, open);
    });
  }

  private streamOverBus(
    endpoint: Endpoint,
    input: object,
    caller: Caller,
    signal: AbortSignal | undefined,
  ): Promise<StreamReply> {
    this.connection.requireUp();
    const { nats } = this.connection;
    const token = `-${(++this.issued).toString(36)}`;
    const flow = this.newFlow();
    const subject = `${flowSubject(endpoint.service)}.${flow}`;
    const leave = (): void => this.connection.announce(subject, '');
    const abandon = (): void => reply.leave();
    const span = tracing ? callSpan(tracing, 'client', endpoint, caller) : undefined;
    const closed = (failure: Error | null): void => {
      if (span && failure) markFailed(span, failure);
      span?.end();
      this.streams.delete(token);
      signal?.removeEventListener('abort', abandon);
    };
    const wire = { taken: (bytes: number) => this.connection.announce(subject, String(bytes)), leave, closed };
    const reply = new StreamReply(wire, endpoint.service, caller.deadline - Date.now() + LATE_MS);
    this.streams.set(token, reply);
    signal?.addEventListener('abort', abandon, { once: true });
    const headers = callerHeaders(span ? callerIn(span, caller) : caller, flow);
    try {
      const subject = callSubject(this.connection.name, endpoint);
      nats.publish(subject, encode(textOf(input)), { reply: this.inboxFor(endpoint.service, token), headers });
    } catch (error) {
      reply.leave();
      throw sendFailed(error);
    }
    return reply.opened();
  }

  /** Where the reply of a service arrives; the permissions of the bus keep other services out. */
  private inboxFor(service: string, token: string): string {
    return `${this.inboxes}${service}.${this.id}.${token}`;
  }

  /** A claim covers only the call that the client sent; nested calls of its service carry none. */
  private callerOf(given: Caller): Caller {
    if (this.carriesClaims || given.idempotency === undefined) return given;
    const { idempotency: _client, ...caller } = given;
    return caller;
  }

  /** A name no other process can guess or generate by chance. */
  private newFlow(): string {
    return `${nuid.next()}${(++this.issued).toString(36)}`;
  }

  /** The reply; cancels the call in its service when the reader leaves first. */
  private unless(signal: AbortSignal, service: string, flow: string, reply: Promise<WireReply>): Promise<WireReply> {
    return new Promise((resolve, reject) => {
      const left = (): void => {
        this.connection.announce(`${flowSubject(service)}.${flow}`, '');
        reject(new ApiError('timeout', 'the caller disconnected'));
      };
      signal.addEventListener('abort', left, { once: true });
      if (signal.aborted) left();
      reply.then(resolve, reject).finally(() => signal.removeEventListener('abort', left));
    });
  }

  private read(endpoint: Endpoint, id: number, caller: Caller): Promise<WireReply> {
    let coalescer = this.coalescers.get(endpoint.subject);
    if (!coalescer) {
      coalescer = new Coalescer(
        (payload, deadline, callers) => this.send(endpoint, payload, tracesOf(callers), deadline),
        () => timedOut(endpoint.service),
      );
      this.coalescers.set(endpoint.subject, coalescer);
    }
    return coalescer.read({ companyId: caller.companyId, id }, caller).then((body) => {
      if (body === null) throw notFound(resourceOf(endpoint));
      return { body };
    });
  }

  /**
   * Publishes a call and waits for its reply. When the service that received it sends no keepalive, a repeatable call
   * (a read, or a write that its client has marked as repeatable) is sent once more, to another process of the
   * service.
   */
  private send(
    endpoint: Endpoint,
    payload: Uint8Array,
    headers: ReturnType<typeof callerHeaders> | undefined,
    deadline: number,
    repeatable = endpoint.method === 'GET' && !endpoint.slow,
  ): Promise<ReceivedReply> {
    const { service, slow } = endpoint;
    return new Promise((resolve, reject) => {
      this.connection.requireUp();
      const left = deadline - Date.now();
      if (left <= 0) return reject(timedOut(service));
      const abandon = () => stopped(this.calls.removeAbandoned(token));
      const timer = setTimeout(() => abandon()?.reject(timedOut(service)), left);
      const lost = (): void => {
        const waiting = abandon();
        if (repeatable) waiting?.resolve(this.send(endpoint, payload, headers, deadline, false));
        else waiting?.reject(lostWith(service));
      };
      const silence = new SilenceWatch(slow ? SILENCE_MS : FAST_SILENCE_MS, lost);
      const token = this.calls.open({ resolve, reject, timer, silence, service });
      try {
        const subject = callSubject(this.connection.name, endpoint);
        this.connection.nats.publish(subject, payload, { reply: this.inboxFor(service, token), headers });
      } catch (error) {
        abandon();
        reject(sendFailed(error));
      }
    });
  }

  private receive(error: Error | null, message: Msg): void {
    const { subject } = message;
    const token = subject.slice(subject.lastIndexOf('.') + 1);
    const service = (this.calls.get(token) ?? this.streams.get(token))?.service;
    // Permissions let a service send only to the inboxes reserved for it.
    if (service === undefined || !subject.startsWith(`${service}.`, this.inboxes.length)) return;
    if (!error && isWorking(message.headers)) {
      this.calls.get(token)?.silence.received();
      this.streams.get(token)?.isAlive();
      return;
    }
    const waiting = stopped(this.calls.removeReplied(token));
    if (!waiting) return this.streams.get(token)?.receive(error, message);
    // The server itself replies with code 503 when no process serves the subject.
    if (error || message.headers?.code === 503) return waiting.reject(down(waiting.service));
    try {
      waiting.resolve(readReply(message.data, message.headers));
    } catch (failure) {
      waiting.reject(failure as Error);
    }
  }
}

const tracesOf = (callers: readonly Caller[]): ReturnType<typeof traceHeaders> => {
  if (!tracing) return undefined;
  const { parent, links } = sharedTrace(callers.map(({ traceparent }) => traceparent));
  return traceHeaders(parent, links);
};

const textOf = (input: object): string => (input instanceof JsonText ? input.text : JSON.stringify(input));

/** Rejects a call whose deadline has passed. */
function stopped(waiting: Waiting | undefined): Waiting | undefined {
  clearTimeout(waiting?.timer);
  waiting?.silence.stop();
  return waiting;
}

const down = (service: string): ApiError =>
  new ApiError('unavailable', `the ${service} service is down`, { retryAfter: 1 });
/** The service received the call and has sent no keepalive since. */
const lostWith = (service: string): ApiError =>
  new CallLost('unavailable', `the ${service} service is down`, { retryAfter: 1 });
const timedOut = (service: string): ApiError =>
  new ApiError('timeout', `the ${service} service did not answer in time`);

function sendFailed(error: unknown): ApiError {
  const text = error instanceof Error ? error.message : String(error);
  return /max_?payload|PAYLOAD/i.test(text)
    ? new ApiError('too_large', 'the request is larger than the message bus carries')
    : new ApiError('unavailable', 'the message bus is down', { retryAfter: 1 });
}

/** The resource that a 404 of a coalesced read names: `agent` for `agent_id`. */
export const resourceOf = (endpoint: Endpoint): string => (endpoint.batchable ?? 'id').replace(/_id$/, '');
