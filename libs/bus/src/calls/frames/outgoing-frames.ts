import type { MsgHdrs } from '@nats-io/transport-node';
import type { Endpoint } from '@signalbox/contracts';
import type { BusConnection } from '../../connection.js';
import type { ReceivedMessage, ReplyInbox, ReplyReceiver } from '../client/reply-inbox.js';
import { callSubject } from '../senders.js';
import { contractIn, FRAME, type FramedCall, frameCalls, framesOf, headersIn, readReplies } from './frames.js';

export interface SentCall {
  endpoint: Endpoint;
  token: string;
  payload: Uint8Array;
  headers: MsgHdrs | undefined;
}

/** A call that is ready to be sent. */
export interface OutgoingCall extends SentCall {
  /** Called when it could not be sent. */
  notSent(error: unknown): void;
  /** The frame that it was sent in. */
  frame: Frame | undefined;
  /** True when it waits no longer for its reply. */
  isSettled: boolean;
}

/** Copying a larger call into a frame costs more than a separate message. */
const MAX_PAYLOAD_BYTES = 16_384;
/** A frame is served by one process: with few calls in each, the replicas of a service share them. */
const MAX_CALLS = 16;
/** Under this token nothing waits: the replies to a frame for one process come alone. */
const NO_TOKEN = '~';

/** Whether a call may share a message with others: all are short, so none waits long for the rest. */
export const mayShare = ({ slow, batchable, onWorkers }: Endpoint, payload: Uint8Array): boolean =>
  !slow && !onWorkers && batchable === undefined && payload.length <= MAX_PAYLOAD_BYTES;

const framed = ({ endpoint: { subject }, headers, token, payload }: SentCall): FramedCall => ({
  endpoint: subject.slice(subject.lastIndexOf('.') + 1),
  token,
  headers: headersIn(headers),
  payload,
});

/** Several calls in one message, of which some wait for their reply. */
export class Frame implements ReplyReceiver {
  private readonly token: string;
  private readonly waiting: Set<OutgoingCall>;

  constructor(
    readonly service: string,
    calls: readonly OutgoingCall[],
    private readonly frames: OutgoingFrames,
    private readonly connection: BusConnection,
    private readonly inbox: ReplyInbox,
  ) {
    this.waiting = new Set(calls);
    this.token = inbox.open(this);
  }

  get address(): string {
    return this.inbox.addressOf(this.service, this.token);
  }

  receive(error: Error | null, message: ReceivedMessage): void {
    // A frame with headers was read by no process, or by one of an earlier release, which cannot read it.
    if (!error && message.headers === undefined) return this.receiveReplies(message.data);
    this.inbox.abandon(this.token);
    for (const call of this.waiting) this.frames.send(call);
  }

  settled(call: OutgoingCall): void {
    if (this.waiting.delete(call) && this.waiting.size === 0) this.inbox.abandon(this.token);
  }

  notSent(error: unknown): void {
    for (const call of [...this.waiting]) call.notSent(error);
  }

  private receiveReplies(data: Uint8Array): void {
    try {
      for (const { token, payload } of readReplies(data))
        this.inbox.deliver(this.service, token, null, { data: payload });
    } catch (error) {
      // The calls end as those of a lost service do.
      this.connection.logger.error({ error, service: this.service }, 'a frame of replies cannot be read');
    }
  }
}

/** Sends the calls of one event-loop turn to the same contract in one message. */
export class OutgoingFrames {
  private readonly gathered = new Map<string, OutgoingCall[]>();

  constructor(
    private readonly connection: BusConnection,
    private readonly inbox: ReplyInbox,
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
      call.notSent(error);
    }
  }

  /** As `send`; throws when the call could not be sent. */
  publish(call: SentCall, processId?: string): void {
    const { endpoint, token, payload, headers } = call;
    const { nats, name } = this.connection;
    if (processId === undefined) {
      const reply = this.inbox.addressOf(endpoint.service, token);
      nats.publish(callSubject(name, endpoint), payload, { reply, ...(headers ? { headers } : {}) });
      return;
    }
    const subject = callSubject(name, { subject: `${contractIn(endpoint)}.${framesOf(processId)}` });
    nats.publish(subject, frameCalls([framed(call)]), { reply: this.inbox.addressOf(endpoint.service, NO_TOKEN) });
  }

  /** Has to be called when a call waits no longer. */
  settled(call: OutgoingCall): void {
    call.frame?.settled(call);
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
    const frame = new Frame(endpoint.service, calls, this, this.connection, this.inbox);
    for (const call of calls) call.frame = frame;
    try {
      const { nats, name } = this.connection;
      const subject = callSubject(name, { subject: `${contractIn(endpoint)}.${FRAME}` });
      nats.publish(subject, frameCalls(calls.map(framed)), { reply: frame.address });
    } catch (error) {
      frame.notSent(error);
    }
  }
}
