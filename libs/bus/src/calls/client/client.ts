import { nuid, type Msg } from '@nats-io/transport-node';
import {
  ApiError,
  calledEndpoint,
  type Caller,
  type Endpoint,
  type EndpointDeclaration,
  type InputOf,
  type JsonText,
  notFound,
  type OutputOf,
} from '@signalbox/contracts';
import { requireNoTransaction, tracing } from '@signalbox/platform';
import { ChunkedCalls } from '../../chunks/chunked-calls.js';
import { flowSubject } from '../../chunks/flow.js';
import { OutgoingFrames } from '../frames/outgoing-frames.js';
import type { BusConnection } from '../../connection.js';
import type { InProcessServer, ChunkedReply } from '../../in-process/in-process-server.js';
import { isReattachable, reattaching } from '../../reattach/reattach.js';
import { ReattachingReply } from '../../reattach/reattaching-reply.js';
import { timedOut } from './call-errors.js';
import { sharedTrace, tracedCall } from '../call-span.js';
import { Coalescer } from './coalescer.js';
import { LiveProcesses } from './live-processes.js';
import { ProcessPresence } from './process-presence.js';
import { SingleCalls } from './single-calls.js';
import { callerHeaders, encode, textIn, textOf, traceHeaders, type WireReply } from '../wire.js';

/**
 * Calls endpoints of other services. All replies arrive on one inbox subscription: Nest's own client creates an inbox
 * per request, and the NATS client's `request` builds an error with a stack for every success.
 */
export class BusClient {
  private readonly inboxes = `_INBOX.${this.connection.name}.`;
  private readonly id = nuid.next();
  private readonly live: LiveProcesses;
  private readonly presence: ProcessPresence;
  private readonly single: SingleCalls;
  private readonly chunked: ChunkedCalls;
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
    const inboxFor = (service: string, token: string): string => this.inboxFor(service, token);
    const frames = new OutgoingFrames(connection.nats, connection.name, inboxFor);
    this.live = new LiveProcesses(connection, inboxFor);
    this.presence = new ProcessPresence(connection, inboxFor);
    this.single = new SingleCalls(connection, frames, this.live, this.presence);
    this.chunked = new ChunkedCalls(connection, frames, this.live, this.presence, () => this.newFlow());
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
  forward(named: Endpoint, input: object, given: Caller, signal?: AbortSignal): Promise<WireReply> {
    requireNoTransaction(`a call of ${named.name}`);
    const endpoint = calledEndpoint(named, input);
    const { inProcess } = this;
    const caller = this.callerOf(given);
    if (inProcess?.serves(endpoint)) return inProcess.forward(endpoint, input, caller, signal);
    const pending = inProcess?.pendingWrites(endpoint, caller);
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
    const reply = this.single.send(endpoint, encode(textOf(input)), headers, caller.deadline, repeatable);
    return signal && flow ? this.unless(signal, service, flow, reply) : reply;
  }

  /**
   * Calls an endpoint with a chunked reply; resolves with the first chunk. Chunks are read no faster than the iterable
   * is consumed; returning from the iterable, or aborting `signal`, cancels the call in its service.
   */
  stream(endpoint: Endpoint, input: object, given: Caller, signal?: AbortSignal): Promise<ChunkedReply> {
    requireNoTransaction(`a call of ${endpoint.name}`);
    const { inProcess } = this;
    const caller = this.callerOf(given);
    if (inProcess?.serves(endpoint)) return inProcess.stream(endpoint, input, caller, signal);
    if (!isReattachable(endpoint)) return this.chunked.open(endpoint, input, caller, signal);
    return reattaching(caller, async (each) => {
      const open = (again: Caller) => this.chunked.open(endpoint, input, again, signal);
      return new ReattachingReply(await open(each), each, open);
    });
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
        (payload, deadline, callers) => this.single.send(endpoint, payload, tracesOf(callers), deadline),
        () => timedOut(endpoint.service),
      );
      this.coalescers.set(endpoint.subject, coalescer);
    }
    return coalescer.read({ companyId: caller.companyId, id }, caller).then((body) => {
      if (body === null) throw notFound(resourceOf(endpoint));
      return { body };
    });
  }

  private receive(error: Error | null, message: Msg): void {
    const { subject } = message;
    const token = subject.slice(subject.lastIndexOf('.') + 1);
    const service =
      this.single.serviceOf(token) ??
      this.chunked.serviceOf(token) ??
      this.live.serviceOf(token) ??
      this.presence.serviceOf(token);
    // Permissions let a service send only to the inboxes reserved for it.
    if (service === undefined || !subject.startsWith(`${service}.`, this.inboxes.length)) return;
    if (this.single.receive(token, error, message) || this.live.receive(token, error, message)) return;
    if (this.presence.receive(token, error, message)) return;
    this.chunked.receive(token, error, message);
  }
}

const tracesOf = (callers: readonly Caller[]): ReturnType<typeof traceHeaders> => {
  if (!tracing) return undefined;
  const { parent, links } = sharedTrace(callers.map(({ traceparent }) => traceparent));
  return traceHeaders(parent, links);
};

/** The resource that a 404 of a coalesced read names: `agent` for `agent_id`. */
export const resourceOf = (endpoint: Endpoint): string => (endpoint.batchable ?? 'id').replace(/_id$/, '');
