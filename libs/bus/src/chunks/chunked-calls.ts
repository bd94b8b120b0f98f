import type { Caller, Endpoint } from '@signalbox/contracts';
import { markFailed, tracing } from '@signalbox/platform';
import { callerIn, callSpan } from '../calls/call-span.js';
import { sendFailed, Unserved } from '../calls/client/call-errors.js';
import { STREAM_MARK } from '../calls/client/reply-inbox.js';
import type { TransportParts } from '../calls/client/requests.js';
import type { SentCall } from '../calls/frames/outgoing-frames.js';
import { callerHeaders, encode, textOf } from '../calls/wire.js';
import { CallLost } from '../resume/call-lost.js';
import { controlSubject } from './credit-window.js';
import { StreamReply } from './stream-reply.js';

/** Time after the deadline in which the time-out error of the service may still arrive. */
const LATE_MS = 2000;
/** How long the message that a reply is abandoned waits for a lost connection. */
const LEAVE_MS = 30_000;

export class ChunkedCalls {
  constructor(
    private readonly parts: TransportParts,
    private readonly newFlow: () => string,
  ) {}

  async open(endpoint: Endpoint, input: object, caller: Caller, signal: AbortSignal | undefined): Promise<StreamReply> {
    const { connection, failures } = this.parts;
    for (;;)
      try {
        await connection.ready(caller.deadline);
        const reply = await this.openAt(await failures.processFor(endpoint), endpoint, input, caller, signal);
        failures.served(endpoint.service);
        return reply;
      } catch (error) {
        if (!(error instanceof Unserved) || signal?.aborted) throw error;
        if (!(await failures.mayReturn(endpoint.service, caller.deadline))) throw error;
      }
  }

  private openAt(
    processId: string | undefined,
    endpoint: Endpoint,
    input: object,
    caller: Caller,
    signal: AbortSignal | undefined,
  ): Promise<StreamReply> {
    const { connection, inbox, failures } = this.parts;
    const flow = this.newFlow();
    const control = `${controlSubject(endpoint.service)}.${flow}`;
    const leave = (): void => {
      const ready = connection.ready(Date.now() + LEAVE_MS);
      if (ready) ready.then(leave, () => undefined);
      else connection.announce(control, '');
    };
    const abandon = (): void => reply.leave();
    const { lost } = connection;
    const disconnected = (): void => reply.lose();
    const span = tracing ? callSpan(tracing, 'client', endpoint, caller) : undefined;
    const closed = (failure: Error | null): void => {
      if (failure instanceof CallLost && !lost.aborted) failures.reportLost(endpoint);
      if (span && failure) markFailed(span, failure);
      span?.end();
      inbox.abandon(token);
      signal?.removeEventListener('abort', abandon);
      lost.removeEventListener('abort', disconnected);
    };
    const wire = { read: (bytes: number) => connection.announce(control, String(bytes)), leave, closed };
    const limit = { ms: caller.deadline - Date.now() + LATE_MS, isWithoutProgress: isFile(endpoint) };
    const reply = new StreamReply(wire, endpoint.service, limit, (lost) => failures.inactivityTimeout(endpoint, lost));
    const token = inbox.open(reply);
    signal?.addEventListener('abort', abandon, { once: true });
    lost.addEventListener('abort', disconnected, { once: true });
    const headers = callerHeaders(span ? callerIn(span, caller) : caller, flow);
    const call = { endpoint, token: STREAM_MARK + token, payload: encode(textOf(input)), headers };
    if (signal?.aborted) abandon();
    else this.publish(call, processId, reply);
    return reply.opened();
  }

  private publish(call: SentCall, processId: string | undefined, reply: StreamReply): void {
    try {
      this.parts.frames.publish(call, processId);
    } catch (error) {
      reply.leave();
      throw sendFailed(error);
    }
  }
}

/** The length of files is unbounded; other chunked replies end by the deadline of their call. */
const isFile = ({ output }: Endpoint): boolean => 'contentTypes' in output;
