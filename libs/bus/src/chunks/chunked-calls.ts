import type { Msg } from '@nats-io/transport-node';
import type { Caller, Endpoint } from '@signalbox/contracts';
import { markFailed, tracing } from '@signalbox/platform';
import { sendFailed } from '../calls/client/call-errors.js';
import { callerIn, callSpan } from '../calls/call-span.js';
import type { LiveProcesses } from '../calls/client/live-processes.js';
import type { ProcessPresence } from '../calls/client/process-presence.js';
import { silenceOf } from '../calls/client/single-calls.js';
import { callerHeaders, encode, isWorking, textOf, workingProcess } from '../calls/wire.js';
import type { OutgoingFrames, SentCall } from '../calls/frames/outgoing-frames.js';
import type { BusConnection } from '../connection.js';
import { CallLost } from '../reattach/call-lost.js';
import { flowSubject } from './flow.js';
import { StreamReply } from './stream-reply.js';

/** How long after its deadline a chunked reply may still deliver its timeout error. */
const LATE_MS = 2000;

/** The calls of one process whose replies arrive in chunks. */
export class ChunkedCalls {
  private readonly streams = new Map<string, StreamReply>();
  private issued = 0;

  constructor(
    private readonly connection: BusConnection,
    private readonly frames: OutgoingFrames,
    private readonly live: LiveProcesses,
    private readonly presence: ProcessPresence,
    private readonly newFlow: () => string,
  ) {}

  /** The service that an open stream comes from. */
  serviceOf(token: string): string | undefined {
    return this.streams.get(token)?.service;
  }

  /** Takes a message of the stream of a token. */
  receive(token: string, error: Error | null, message: Msg): void {
    const stream = this.streams.get(token);
    if (!error && isWorking(message.headers)) stream?.isAlive(workingProcess(message.headers));
    else stream?.receive(error, message);
  }

  /** Opens a stream; resolves with its first chunk. */
  async open(endpoint: Endpoint, input: object, caller: Caller, signal: AbortSignal | undefined): Promise<StreamReply> {
    const process = this.live.next(endpoint);
    return this.openAt(process instanceof Promise ? await process : process, endpoint, input, caller, signal);
  }

  private openAt(
    processId: string | undefined,
    endpoint: Endpoint,
    input: object,
    caller: Caller,
    signal: AbortSignal | undefined,
  ): Promise<StreamReply> {
    this.connection.requireUp();
    const token = `-${(++this.issued).toString(36)}`;
    const flow = this.newFlow();
    const subject = `${flowSubject(endpoint.service)}.${flow}`;
    const leave = (): void => this.connection.announce(subject, '');
    const abandon = (): void => reply.leave();
    const span = tracing ? callSpan(tracing, 'client', endpoint, caller) : undefined;
    const closed = (failure: Error | null): void => {
      if (failure instanceof CallLost) this.live.lost(endpoint);
      if (span && failure) markFailed(span, failure);
      span?.end();
      this.streams.delete(token);
      signal?.removeEventListener('abort', abandon);
    };
    const wire = { read: (bytes: number) => this.connection.announce(subject, String(bytes)), leave, closed };
    const limit = { ms: caller.deadline - Date.now() + LATE_MS, isWithoutProgress: isFile(endpoint) };
    const reply = new StreamReply(
      wire,
      endpoint.service,
      limit,
      silenceOf(endpoint),
      this.presence.of(endpoint.service),
    );
    this.streams.set(token, reply);
    signal?.addEventListener('abort', abandon, { once: true });
    const headers = callerHeaders(span ? callerIn(span, caller) : caller, flow);
    // Aborted while a process was looked for.
    if (signal?.aborted) abandon();
    else this.publish({ endpoint, token, payload: encode(textOf(input)), headers }, processId, reply);
    return reply.opened();
  }

  private publish(call: SentCall, processId: string | undefined, reply: StreamReply): void {
    try {
      this.frames.publish(call, processId);
    } catch (error) {
      reply.leave();
      throw sendFailed(error);
    }
  }
}

/** Files have any length, other chunked replies end by the deadline of their call. */
const isFile = ({ output }: Endpoint): boolean => 'contentTypes' in output;
