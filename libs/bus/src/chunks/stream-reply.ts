import { ApiError } from '@signalbox/contracts';
import { WINDOW_BYTES } from './credit-window.js';
import { deliveryUnknown, down } from '../calls/client/call-errors.js';
import { hasNoResponders, type ReceivedMessage, type ReplyReceiver } from '../calls/client/reply-inbox.js';
import type { InactivityTimeout } from '../calls/failure-detection/inactivity-timeout.js';
import { isEnd, isWorking, readReply, workingProcess } from '../calls/wire.js';
import { CallLost } from '../resume/call-lost.js';

export interface StreamWire {
  read: (bytes: number) => void;
  leave: () => void;
  /** Called last, with the failure that ended the reply. */
  closed: (failure: Error | null) => void;
}

const REPORT_BYTES = WINDOW_BYTES / 4;

export interface ReplyLimit {
  ms: number;
  /** Whether the limit restarts with every chunk that arrives or is read. */
  isWithoutProgress: boolean;
}

/**
 * The receiver's side of a chunked reply. The window bounds unread bytes; a sender that is silent for too long ends the
 * reply with an error.
 */
export class StreamReply implements AsyncIterable<Uint8Array>, ReplyReceiver {
  headers: Record<string, string> = {};
  private readonly unread: Uint8Array[] = [];
  private failure: Error | null = null;
  private done = false;
  private unreported = 0;
  private wake: () => void = () => undefined;
  private readonly inactivity: InactivityTimeout;
  private readonly limit: NodeJS.Timeout;
  private readonly progress: () => void;

  constructor(
    private readonly wire: StreamWire,
    readonly service: string,
    limit: ReplyLimit,
    inactivityTimeout: (lost: (isConfirmed: boolean) => void) => InactivityTimeout,
  ) {
    this.inactivity = inactivityTimeout((isConfirmed) =>
      this.fail(isConfirmed ? lostWith(service) : deliveryUnknown(service)),
    );
    this.limit = setTimeout(() => this.fail(silent(service)), limit.ms);
    this.progress = limit.isWithoutProgress ? () => void this.limit.refresh() : () => undefined;
  }

  get chunks(): this {
    return this;
  }

  /** Resolves with the first chunk; throws the error of a call that was refused before it. */
  async opened(): Promise<this> {
    await this.received();
    if (this.failure && this.unread.length === 0) throw this.failure;
    return this;
  }

  receive(error: Error | null, message: ReceivedMessage): void {
    if (this.done) return;
    if (!error && isWorking(message.headers)) return this.inactivity.received(workingProcess(message.headers));
    this.inactivity.received();
    this.progress();
    if (error || hasNoResponders(message)) return this.fail(down(this.service));
    try {
      const { body, headers } = readReply(message.data, message.headers);
      if (headers) this.headers = headers;
      if (body.length > 0) this.unread.push(body);
    } catch (failure) {
      return this.fail(failure as Error);
    }
    if (isEnd(message.headers)) this.close();
    this.wake();
  }

  leave(): void {
    if (this.done) return;
    this.close();
    this.wire.leave();
    this.wake();
  }

  /** The connection was lost, perhaps with chunks. */
  lose(): void {
    this.fail(lostWith(this.service));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        await this.received();
        const chunk = this.unread.shift();
        if (chunk) {
          yield chunk;
          this.report(chunk.length);
        } else if (this.failure) throw this.failure;
        else return;
      }
    } finally {
      this.leave();
    }
  }

  private async received(): Promise<void> {
    while (this.unread.length === 0 && !this.done) await new Promise<void>((resolve) => (this.wake = resolve));
  }

  private report(bytes: number): void {
    if (this.done) return;
    this.progress();
    this.unreported += bytes;
    if (this.unreported < REPORT_BYTES) return;
    this.wire.read(this.unreported);
    this.unreported = 0;
  }

  private fail(error: Error): void {
    if (this.done) return;
    this.failure = error;
    this.close();
    this.wire.leave();
    this.wake();
  }

  private close(): void {
    this.done = true;
    this.inactivity.stop();
    clearTimeout(this.limit);
    this.wire.closed(this.failure);
  }
}

const silent = (service: string): ApiError => new ApiError('timeout', noAnswer(service));
const lostWith = (service: string): ApiError => new CallLost('timeout', noAnswer(service));
const noAnswer = (service: string): string => `the ${service} service did not answer in time`;
