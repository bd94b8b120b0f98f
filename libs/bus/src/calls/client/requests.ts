import type { MsgHdrs } from '@nats-io/transport-node';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Endpoint } from '@signalbox/contracts';
import type { BusConnection } from '../../connection.js';
import type { FailureDetector } from '../failure-detection/failure-detector.js';
import type { InactivityTimeout } from '../failure-detection/inactivity-timeout.js';
import type { LiveProcess } from '../failure-detection/process-discovery.js';
import { type Frame, mayShare, type OutgoingCall, type OutgoingFrames } from '../frames/outgoing-frames.js';
import { isWorking, readReply, type ReceivedReply, workingProcess } from '../wire.js';
import { deliveryUnknown, down, lostWith, sendFailed, timedOut } from './call-errors.js';
import { hasNoResponders, type ReceivedMessage, type ReplyInbox, type ReplyReceiver } from './reply-inbox.js';

export interface Request {
  endpoint: Endpoint;
  payload: Uint8Array;
  headers: MsgHdrs | undefined;
  /** Epoch ms. */
  deadline: number;
  /** May be sent to a second process when the first is silent: a read, or a write with an idempotency key. */
  isRepeatable: boolean;
  /** How often it was sent before; the process that received it may still work on it. */
  repeats?: number;
}

export interface TransportParts {
  connection: BusConnection;
  inbox: ReplyInbox;
  frames: OutgoingFrames;
  failures: FailureDetector;
}

/** Wait before asking again for the reply of a call that is being worked on. */
const WORKS_MS = 100;
const MAX_REPEATS = 5;

const isInProgress = (failure: unknown): boolean => failure instanceof ApiError && failure.kind === 'in_progress';

interface Settlement {
  resolve: (reply: ReceivedReply | Promise<ReceivedReply>) => void;
  reject: (error: Error) => void;
  repeat: (processId: string | undefined, isRepeatable: boolean) => Promise<ReceivedReply>;
}

export class Requests {
  private readonly pending = new Set<PendingRequest>();
  private idle: (() => void) | undefined;

  constructor(private readonly parts: TransportParts) {
    parts.connection.onReconnect(() => {
      for (const each of [...this.pending]) each.reconnected();
    });
    parts.connection.beforeMove(() => this.settled());
  }

  send(request: Request): Promise<ReceivedReply> {
    const ready = this.parts.connection.ready(request.deadline);
    return ready ? ready.then(() => this.route(request)) : this.route(request);
  }

  private route(request: Request): Promise<ReceivedReply> {
    const process = this.parts.failures.processFor(request.endpoint);
    return process instanceof Promise ? process.then((id) => this.sendTo(id, request)) : this.sendTo(process, request);
  }

  private async repeat(processId: string | undefined, request: Request): Promise<ReceivedReply> {
    await this.parts.connection.ready(request.deadline);
    return this.sendTo(processId, request);
  }

  private sendTo(processId: string | undefined, request: Request): Promise<ReceivedReply> {
    const { frames } = this.parts;
    const { endpoint, payload, deadline } = request;
    return new Promise((resolve, reject) => {
      if (deadline <= Date.now()) return reject(timedOut(endpoint.service));
      const repeat: Settlement['repeat'] = (id, isRepeatable) =>
        this.repeat(id, { ...request, isRepeatable, repeats: (request.repeats ?? 0) + 1 });
      const pending = new PendingRequest(request, this.parts, { resolve, reject, repeat }, (each) => this.ended(each));
      this.pending.add(pending);
      if (processId === undefined && mayShare(endpoint, payload)) frames.add(pending);
      else frames.send(pending, processId);
    });
  }

  private ended(pending: PendingRequest): void {
    this.pending.delete(pending);
    if (this.pending.size === 0) this.idle?.();
  }

  private settled(): Promise<void> {
    return this.pending.size === 0 ? Promise.resolve() : new Promise((resolve) => (this.idle = resolve));
  }
}

/**
 * A request that waits for its reply. When the process that received it sends no keepalive, a repeatable request is
 * sent once more, to a process that has just reported that it runs.
 */
class PendingRequest implements ReplyReceiver, OutgoingCall {
  readonly service: string;
  readonly endpoint: Endpoint;
  readonly payload: Uint8Array;
  readonly headers: MsgHdrs | undefined;
  readonly token: string;
  frame: Frame | undefined;
  isSettled = false;
  private readonly deadline: NodeJS.Timeout;
  private readonly deadlineAt: number;
  private readonly inactivity: InactivityTimeout;
  private mayRepeat: boolean;
  private isFindingProcess = false;

  constructor(
    private readonly request: Request,
    private readonly parts: TransportParts,
    private readonly settlement: Settlement,
    private readonly ended: (request: PendingRequest) => void,
  ) {
    const { endpoint, payload, headers, deadline, isRepeatable } = request;
    this.endpoint = endpoint;
    this.service = endpoint.service;
    this.payload = payload;
    this.headers = headers;
    this.deadlineAt = deadline;
    this.mayRepeat = isRepeatable;
    this.token = parts.inbox.open(this);
    this.deadline = setTimeout(() => this.failed(timedOut(this.service)), deadline - Date.now());
    this.inactivity = parts.failures.inactivityTimeout(endpoint, (isConfirmed) => this.lost(isConfirmed), isRepeatable);
  }

  receive(error: Error | null, message: ReceivedMessage): void {
    if (!error && isWorking(message.headers)) return this.inactivity.received(workingProcess(message.headers));
    this.parts.inbox.close(this.token);
    this.settle();
    if (error) return this.settlement.reject(down(this.service));
    if (hasNoResponders(message)) return this.settlement.resolve(this.unserved());
    this.parts.failures.served(this.service);
    try {
      this.settlement.resolve(readReply(message.data, message.headers));
    } catch (failure) {
      if (this.request.repeats && isInProgress(failure)) this.settlement.resolve(this.whenDone());
      else this.settlement.reject(failure as Error);
    }
  }

  private async whenDone(): Promise<ReceivedReply> {
    await delay(WORKS_MS);
    return this.settlement.repeat(undefined, this.mayRepeat);
  }

  notSent(error: unknown): void {
    this.failed(sendFailed(error));
  }

  /** Nobody received the request, so it can be sent again. */
  private async unserved(): Promise<ReceivedReply> {
    if (!(await this.parts.failures.mayReturn(this.service, this.deadlineAt))) throw down(this.service);
    return this.settlement.repeat(undefined, this.mayRepeat);
  }

  /** The request or its reply may have been lost with the former connection. */
  reconnected(): void {
    if (this.isSettled) return;
    if (!this.mayRepeat || this.isFindingProcess) return this.inactivity.restart();
    this.abandon();
    this.settlement.resolve(this.settlement.repeat(undefined, true));
  }

  private lost(isConfirmed: boolean): void {
    const { connection } = this.parts;
    if (!connection.isUp && !connection.isAway) return this.inactivity.restart();
    this.parts.failures.reportLost(this.endpoint);
    if (this.isFindingProcess) return;
    if (!this.mayRepeat) return this.failed((isConfirmed ? lostWith : deliveryUnknown)(this.service));
    this.mayRepeat = false;
    this.isFindingProcess = true;
    // The reply may still arrive: processes that do not report may be slow.
    void this.parts.failures.findProcess(this.endpoint).then((process) => {
      this.isFindingProcess = false;
      if (process) this.repeatAt(process);
      else this.inactivity.prolong();
    });
  }

  private repeatAt(process: LiveProcess): void {
    if (this.isSettled) return;
    this.abandon();
    // The found process may be reconnecting too, which would lose the call again.
    const again = this.parts.connection.mayPeersReconnect && (this.request.repeats ?? 0) < MAX_REPEATS;
    this.settlement.resolve(this.settlement.repeat(process === 'queue' ? undefined : process.id, again));
  }

  private failed(error: Error): void {
    if (this.isSettled) return;
    this.abandon();
    this.settlement.reject(error);
  }

  private abandon(): void {
    this.parts.inbox.abandon(this.token);
    this.settle();
  }

  private settle(): void {
    clearTimeout(this.deadline);
    this.inactivity.stop();
    this.isSettled = true;
    this.ended(this);
    this.parts.frames.settled(this);
  }
}
