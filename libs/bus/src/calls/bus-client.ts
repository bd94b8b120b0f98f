import {
  type Caller,
  type Endpoint,
  type EndpointDeclaration,
  type InputOf,
  type JsonText,
  type OutputOf,
} from '@signalbox/contracts';
import { calledEndpoint } from './called-endpoint.js';
import { requireNoTransaction } from '@signalbox/platform';
import type { BusConnection } from '../connection.js';
import type { InProcessServer } from '../in-process/in-process-server.js';
import { isResumable, withResume } from '../resume/resume.js';
import { ResumingReply } from '../resume/resuming-reply.js';
import { NatsTransport } from './client/nats-transport.js';
import type { ChunkedReply } from './rpc-transport.js';
import { textIn, type WireReply } from './wire.js';

export class BusClient {
  private readonly nats: NatsTransport;
  private inProcess: InProcessServer | undefined;

  constructor(
    connection: BusConnection,
    /** True where calls of clients arrive: idempotency claims travel with these, never with nested calls. */
    private readonly carriesClaims = false,
  ) {
    this.nats = new NatsTransport(connection);
  }

  useInProcess(server: InProcessServer): void {
    this.inProcess = server;
  }

  /** Errors are ApiErrors; a service without a running process is 503 at once. */
  async call<E extends EndpointDeclaration>(
    endpoint: Endpoint & E,
    input: InputOf<E> | JsonText<InputOf<E>>,
    caller: Caller,
    signal?: AbortSignal,
  ): Promise<OutputOf<E['output']>> {
    const reply = await this.forward(endpoint, input, caller, signal);
    return JSON.parse(textIn(reply)) as OutputOf<E['output']>;
  }

  forward(named: Endpoint, input: object, given: Caller, signal?: AbortSignal): Promise<WireReply> {
    requireNoTransaction(`a call of ${named.name}`);
    const endpoint = calledEndpoint(named, input);
    const { inProcess } = this;
    const caller = this.callerOf(given);
    if (inProcess?.serves(endpoint)) return inProcess.request(endpoint, input, caller, signal);
    const pending = inProcess?.pendingWrites(endpoint, caller);
    const request = () => this.requestOverBus(endpoint, input, caller, signal);
    return pending ? pending.then(request) : request();
  }

  stream(endpoint: Endpoint, input: object, given: Caller, signal?: AbortSignal): Promise<ChunkedReply> {
    requireNoTransaction(`a call of ${endpoint.name}`);
    const { inProcess, nats } = this;
    const caller = this.callerOf(given);
    if (inProcess?.serves(endpoint)) return inProcess.open(endpoint, input, caller, signal);
    const open = (each: Caller) => nats.open(endpoint, input, each, signal);
    if (!isResumable(endpoint)) return open(caller);
    return withResume(caller, async (each) => new ResumingReply(await open(each), each, open));
  }

  private requestOverBus(endpoint: Endpoint, input: object, caller: Caller, signal?: AbortSignal): Promise<WireReply> {
    const request = (each: Caller) => this.nats.request(endpoint, input, each, signal);
    return isResumable(endpoint) ? withResume(caller, request) : request(caller);
  }

  /** A claim covers only the call that the client sent, not calls nested in it. */
  private callerOf(given: Caller): Caller {
    if (this.carriesClaims || given.idempotency === undefined) return given;
    const { idempotency: _client, ...caller } = given;
    return caller;
  }
}
