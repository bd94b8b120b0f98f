import { nuid } from '@nats-io/transport-node';
import { ApiError, type Caller, type Endpoint, notFound } from '@signalbox/contracts';
import { tracing } from '@signalbox/platform';
import { ChunkedCalls } from '../../chunks/chunked-calls.js';
import { controlSubject } from '../../chunks/credit-window.js';
import type { StreamReply } from '../../chunks/stream-reply.js';
import type { BusConnection } from '../../connection.js';
import { sharedTrace, tracedCall } from '../call-span.js';
import { FailureDetector } from '../failure-detection/failure-detector.js';
import { OutgoingFrames } from '../frames/outgoing-frames.js';
import type { RpcTransport } from '../rpc-transport.js';
import { callerHeaders, encode, textOf, traceHeaders, type WireReply } from '../wire.js';
import { timedOut } from './call-errors.js';
import { ReadBatcher } from './read-batches.js';
import { ReplyInbox } from './reply-inbox.js';
import { Requests } from './requests.js';

export class NatsTransport implements RpcTransport {
  private readonly requests: Requests;
  private readonly chunked: ChunkedCalls;
  private readonly batchers = new Map<string, ReadBatcher>();
  private issued = 0;

  constructor(private readonly connection: BusConnection) {
    const inbox = new ReplyInbox(connection.name);
    inbox.listen(connection.nats);
    const frames = new OutgoingFrames(connection, inbox);
    const parts = { connection, inbox, frames, failures: new FailureDetector(connection, inbox) };
    this.requests = new Requests(parts);
    this.chunked = new ChunkedCalls(parts, () => this.newFlow());
  }

  request(endpoint: Endpoint, input: object, caller: Caller, signal?: AbortSignal): Promise<WireReply> {
    if (!tracing) return this.send(endpoint, input, caller, signal);
    return tracedCall(tracing, 'client', endpoint, caller, (each) => this.send(endpoint, input, each, signal));
  }

  open(endpoint: Endpoint, input: object, caller: Caller, signal?: AbortSignal): Promise<StreamReply> {
    return this.chunked.open(endpoint, input, caller, signal);
  }

  private send(endpoint: Endpoint, input: object, caller: Caller, signal: AbortSignal | undefined): Promise<WireReply> {
    const { batchable } = endpoint;
    if (batchable) return this.readInBatch(endpoint, (input as Record<string, number>)[batchable] ?? 0, caller);
    const flow = signal && endpoint.abandonable ? this.newFlow() : undefined;
    const reply = this.requests.send({
      endpoint,
      payload: encode(textOf(input)),
      headers: callerHeaders(caller, flow),
      deadline: caller.deadline,
      isRepeatable: !endpoint.slow && (endpoint.method === 'GET' || caller.idempotency !== undefined),
    });
    return signal && flow ? this.unlessAborted(signal, `${controlSubject(endpoint.service)}.${flow}`, reply) : reply;
  }

  private async readInBatch(endpoint: Endpoint, id: number, caller: Caller): Promise<WireReply> {
    const body = await this.batcherOf(endpoint).read({ companyId: caller.companyId, id }, caller);
    if (body === null) throw notFound(resourceOf(endpoint));
    return { body };
  }

  private batcherOf(endpoint: Endpoint): ReadBatcher {
    const known = this.batchers.get(endpoint.subject);
    if (known) return known;
    const send = (payload: Uint8Array, deadline: number, callers: readonly Caller[]) =>
      this.requests.send({
        endpoint,
        payload,
        headers: tracesOf(callers),
        deadline,
        isRepeatable: endpoint.method === 'GET' && !endpoint.slow,
      });
    const batcher = new ReadBatcher(send, () => timedOut(endpoint.service));
    this.batchers.set(endpoint.subject, batcher);
    return batcher;
  }

  /** Not guessable, and unique among processes. */
  private newFlow(): string {
    return `${nuid.next()}${(++this.issued).toString(36)}`;
  }

  /** Cancels the call in its service when the caller leaves first. */
  private unlessAborted(signal: AbortSignal, control: string, reply: Promise<WireReply>): Promise<WireReply> {
    return new Promise((resolve, reject) => {
      const left = (): void => {
        this.connection.announce(control, '');
        reject(new ApiError('timeout', 'the caller disconnected'));
      };
      signal.addEventListener('abort', left, { once: true });
      if (signal.aborted) left();
      reply.then(resolve, reject).finally(() => signal.removeEventListener('abort', left));
    });
  }
}

const tracesOf = (callers: readonly Caller[]): ReturnType<typeof traceHeaders> => {
  if (!tracing) return undefined;
  const { parent, links } = sharedTrace(callers.map(({ traceparent }) => traceparent));
  return traceHeaders(parent, links);
};

/** Named by the 404 of a read by key: `agent` for `agent_id`. */
export const resourceOf = (endpoint: Endpoint): string => (endpoint.batchable ?? 'id').replace(/_id$/, '');
