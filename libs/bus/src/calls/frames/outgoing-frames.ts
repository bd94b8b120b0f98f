import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import type { Endpoint } from '@signalbox/contracts';
import { OpenCalls } from '../client/open-calls.js';
import { callSubject } from '../senders.js';
import { contractIn, FRAME, type FramedCall, frameCalls, framesOf, headersIn } from './frames.js';

/** What is sent of a call. */
export interface SentCall {
  endpoint: Endpoint;
  token: string;
  payload: Uint8Array;
  headers: MsgHdrs | undefined;
}

/** A call that is ready to be sent. */
export interface OutgoingCall extends SentCall {
  /** Called when it could not be sent. */
  failed: (error: unknown) => void;
  /** The token of the frame that it was sent in. */
  frame?: string;
  /** True when it waits no longer for its reply. */
  isSettled?: boolean;
}

interface Frame {
  service: string;
  /** The calls that wait for their reply. */
  waiting: Set<OutgoingCall>;
}

/** Copying a larger call into a frame costs more than a separate message. */
const MAX_PAYLOAD_BYTES = 16_384;
/** A frame is served by one process: with few calls in each, the replicas of a service share them. */
const MAX_CALLS = 16;
/** Begins the token of a frame; those of calls have digits, letters and hyphens alone. */
const MARK = '~';

/** Whether a call may share a message with others: all are short, so none waits long for the rest. */
export const mayShare = ({ slow, batchable, byWorkers }: Endpoint, payload: Uint8Array): boolean =>
  !slow && !byWorkers && batchable === undefined && payload.length <= MAX_PAYLOAD_BYTES;

/** True for the token of a frame. */
export const isFrameToken = (token: string): boolean => token.startsWith(MARK);

const framed = ({ endpoint: { subject }, headers, token, payload }: SentCall): FramedCall => ({
  endpoint: subject.slice(subject.lastIndexOf('.') + 1),
  token,
  headers: headersIn(headers),
  payload,
});

/** Sends the calls of one event-loop turn to the same contract in one message. */
export class OutgoingFrames {
  private readonly gathered = new Map<string, OutgoingCall[]>();
  private readonly frames = new OpenCalls<Frame>();

  constructor(
    private readonly nats: NatsConnection,
    private readonly sender: string,
    private readonly inboxFor: (service: string, token: string) => string,
  ) {}

  /** Sends a call with the others of this turn. */
  add(call: OutgoingCall): void {
    const contract = contractIn(call.endpoint);
    if (this.gathered.size === 0) setImmediate(() => this.flush());
    const calls = this.gathered.get(contract) ?? [];
    this.gathered.set(contract, calls);
    if (calls.push(call) < MAX_CALLS) return;
    this.gathered.set(contract, []);
    this.sendTogether(calls);
  }

  /** Sends a call in a separate message, to a process of its service or to the queue of all. */
  send(call: OutgoingCall, processId?: string): void {
    try {
      this.publish(call, processId);
    } catch (error) {
      call.failed(error);
    }
  }

  /** As `send`; throws when the call could not be sent. */
  publish(call: SentCall, processId?: string): void {
    const { endpoint, token, payload, headers } = call;
    if (processId === undefined) {
      const reply = this.inboxFor(endpoint.service, token);
      this.nats.publish(callSubject(this.sender, endpoint), payload, { reply, ...(headers ? { headers } : {}) });
      return;
    }
    const subject = callSubject(this.sender, { subject: `${contractIn(endpoint)}.${framesOf(processId)}` });
    // Processes of an earlier release refuse the frame: no call waits for this reply.
    const reply = this.inboxFor(endpoint.service, MARK);
    this.nats.publish(subject, frameCalls([framed(call)]), { reply });
  }

  /** The service that a frame was sent to; undefined when none of its calls waits. */
  serviceOf(token: string): string | undefined {
    return this.frames.get(token.slice(MARK.length))?.service;
  }

  /** Has to be called when a call waits no longer. */
  settled(call: OutgoingCall): void {
    call.isSettled = true;
    if (call.frame === undefined) return;
    const frame = this.frames.get(call.frame);
    if (frame?.waiting.delete(call) && frame.waiting.size === 0) this.frames.removeAbandoned(call.frame);
  }

  /** Sends the calls of a frame alone: no process has read it, or one of an earlier release, which cannot. */
  sendAlone(token: string): void {
    const frame = this.frames.removeAbandoned(token.slice(MARK.length));
    for (const call of frame?.waiting ?? []) this.send(call);
  }

  private flush(): void {
    const gathered = [...this.gathered.values()];
    this.gathered.clear();
    for (const calls of gathered) {
      const waiting = calls.filter(({ isSettled }) => !isSettled);
      const [first] = waiting;
      if (first && waiting.length === 1) this.send(first);
      else if (first) this.sendTogether(waiting);
    }
  }

  private sendTogether(calls: OutgoingCall[]): void {
    const { endpoint } = calls[0] as OutgoingCall;
    const token = this.frames.open({ service: endpoint.service, waiting: new Set(calls) });
    for (const call of calls) call.frame = token;
    try {
      const reply = this.inboxFor(endpoint.service, `${MARK}${token}`);
      const subject = callSubject(this.sender, { subject: `${contractIn(endpoint)}.${FRAME}` });
      this.nats.publish(subject, frameCalls(calls.map(framed)), { reply });
    } catch (error) {
      this.frames.removeAbandoned(token);
      for (const call of calls) call.failed(error);
    }
  }
}
