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

export interface OutgoingCall extends SentCall {
  notSent(error: unknown): void;
  frame: Frame | undefined;
  isSettled: boolean;
}

/** A larger call costs more to copy into a frame than to send alone. */
const MAX_PAYLOAD_BYTES = 16_384;
/** One process serves a frame: small frames spread the calls over the replicas. */
const MAX_CALLS = 16;
/** No receiver: the replies to a frame for one process come one by one. */
const NO_TOKEN = '~';

/** Only short calls, so that none waits long for the others. */
export const mayShare = ({ slow, batchable, onWorkers }: Endpoint, payload: Uint8Array): boolean =>
  !slow && !onWorkers && batchable === undefined && payload.length <= MAX_PAYLOAD_BYTES;

const framed = ({ endpoint: { subject }, headers, token, payload }: SentCall): FramedCall => ({
  endpoint: subject.slice(subject.lastIndexOf('.') + 1),
  token,
  headers: headersIn(headers),
  payload,
});

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
    // With headers the frame was read by no process, or by an earlier release, which cannot read it.
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
      // The calls time out like those of a lost service.
      this.connection.logger.error({ error, service: this.service }, 'a frame of replies cannot be read');
    }
  }
}

export class OutgoingFrames {
  private readonly gathered = new Map<string, OutgoingCall[]>();

  constructor(
    private readonly connection: BusConnection,
    private readonly inbox: ReplyInbox,
  ) {}

  add(call: OutgoingCall): void {
    const contract = contractIn(call.endpoint);
    if (this.gathered.size === 0) setImmediate(() => this.flush());
    const calls = this.gathered.get(contract) ?? [];
    this.gathered.set(contract, calls);
    if (calls.push(call) < MAX_CALLS) return;
    this.gathered.set(contract, []);
    this.sendTogether(calls);
  }

  send(call: OutgoingCall, processId?: string): void {
    try {
      this.publish(call, processId);
    } catch (error) {
      call.notSent(error);
    }
  }

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

  /** To be called for every call that no longer waits. */
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
