import type { ServerResponse } from 'node:http';
import {
  type ApiError,
  type Caller,
  type Endpoint,
  notFound,
  type StreamEvent,
  type StreamPart,
  toApiError,
} from '@signalbox/contracts';
import { destroyUnread } from './destroy-unread.js';
import {
  END_FRAME,
  errorFrame,
  frameOf,
  isTerminal,
  liveEvent,
  positionFrame,
  RUN_DELETED,
  StreamCursor,
} from './stream-cursor.js';

export interface StreamCall {
  endpoint: Endpoint;
  input: object;
  caller: Caller;
}

export interface EventSource {
  /** Number of the last event that the client has. */
  from: number;
  read: (seq: number) => Promise<StreamPart>;
  listen: (subject: string, onPayload: (payload: Uint8Array) => void) => () => void;
  failed: (error: unknown) => void;
}

const PING_MS = 15_000;
/** Pause before a failed read is repeated, and how long reads may fail before the stream is cut. */
const REPEATED_READS = { pauseMs: 1000, limitMs: 120_000 };
const ANNOUNCED_MS = 250;

/**
 * Sends events to one client: live ones as they are published, missed ones from storage. Nothing is buffered for a slow
 * client: what it missed is read from storage once it has caught up.
 */
export class EventReader {
  private readonly cursor: StreamCursor;
  private isReadingMissed = false;
  private rereadRequested = false;
  private blocked = false;
  private ended = false;
  private unlisten: (() => void)[] = [];
  private finished: () => void = () => undefined;
  private pinging: NodeJS.Timeout | undefined;
  private retrying: NodeJS.Timeout | undefined;
  private later: NodeJS.Timeout | undefined;
  private failingSince: number | undefined;
  /** The last position sent as an `id`. */
  private sentId: number;

  /** A stream without a terminal event; its live messages only announce that something was stored. */
  isEndless = false;

  constructor(
    private readonly response: ServerResponse,
    private readonly source: EventSource,
    private readonly repeated = REPEATED_READS,
  ) {
    this.cursor = new StreamCursor(source.from);
    this.sentId = source.from;
  }

  run(first: StreamPart): Promise<void> {
    return new Promise((resolve) => {
      this.finished = resolve;
      this.response.on('close', () => this.close());
      if (this.response.destroyed) return this.close();
      this.response.on('drain', () => this.unblock());
      this.response.flushHeaders();
      this.isEndless = first.position !== undefined;
      // Before the stored events are read to the end, so that no event is missed in between.
      const { subject, subjects = [subject] } = first;
      this.unlisten = subjects.map((each) => this.source.listen(each, (payload) => this.receive(payload)));
      this.pinging = setInterval(() => this.ping(), PING_MS);
      this.sendStored(first);
      // A client without events so far learns its position too.
      this.sendPosition();
      this.readMissed();
    });
  }

  /** Reads unsent events from storage, one read at a time. */
  readMissed(): void {
    this.rereadRequested = true;
    if (!this.isReadingMissed && !this.ended) void this.readStored();
  }

  /** Ends the stream between two events: the client can resume elsewhere. */
  end(): void {
    if (this.ended) return;
    this.sendPosition();
    this.close();
    destroyUnread(this.response);
  }

  cut(error: ApiError): void {
    if (this.ended) return;
    this.response.write(errorFrame(error));
    this.close();
    destroyUnread(this.response);
  }

  private close(): void {
    if (this.ended) return;
    this.ended = true;
    for (const unlisten of this.unlisten) unlisten();
    clearInterval(this.pinging);
    clearTimeout(this.retrying);
    clearTimeout(this.later);
    this.response.end();
    this.finished();
  }

  private receive(payload: Uint8Array): void {
    if (this.ended) return;
    if (this.isEndless) return this.blocked ? void (this.rereadRequested = true) : this.readAnnounced();
    const event = liveEvent(Buffer.from(payload).toString());
    if (event === null) return;
    if (event.type === RUN_DELETED) return this.removed(event);
    if (this.blocked) return void (this.rereadRequested = true);
    const outcome = this.cursor.receive(event);
    if (outcome === 'send') this.send(event);
    else if (outcome === 'gap') this.readMissed();
  }

  /** Nothing of a deleted run can be read any more. */
  private removed(event: StreamEvent): void {
    this.response.write(frameOf(event));
    this.cut(notFound('run'));
  }

  private async readStored(): Promise<void> {
    this.isReadingMissed = true;
    try {
      while (this.rereadRequested && !this.blocked && !this.ended) {
        this.rereadRequested = false;
        const part = await this.source.read(this.cursor.seq);
        this.failingSince = undefined;
        // A page may be cut short, so only an empty one means the end.
        if (this.sendStored(part)) this.rereadRequested = true;
      }
    } catch (error) {
      this.readFailed(error);
    } finally {
      this.isReadingMissed = false;
    }
  }

  /** Retries temporary failures for a while; a refusal, such as 404 for a deleted run, ends the stream. */
  private readFailed(thrown: unknown): void {
    const error = toApiError(thrown);
    this.failingSince ??= Date.now();
    if (!mayPass(error) || Date.now() - this.failingSince > this.repeated.limitMs) return this.cut(error);
    this.source.failed(thrown);
    clearTimeout(this.retrying);
    this.retrying = setTimeout(() => this.readMissed(), this.repeated.pauseMs);
  }

  private sendStored({ events, ended, position = 0 }: StreamPart): boolean {
    const unsent = events.filter((event) => this.cursor.read(event));
    unsent.forEach((event) => this.send(event));
    const skipped = this.cursor.skipTo(position);
    if (ended) this.complete();
    return unsent.length > 0 || skipped;
  }

  /** An announcement can overtake the commit of its event, so storage is read once more a little later. */
  private readAnnounced(): void {
    this.readMissed();
    this.later ??= setTimeout(() => {
      this.later = undefined;
      this.readMissed();
    }, ANNOUNCED_MS);
  }

  private send(event: StreamEvent): void {
    if (this.ended) return;
    this.blocked = !this.response.write(frameOf(event));
    this.sentId = event.seq;
    if (isTerminal(event.type)) this.close();
  }

  private complete(): void {
    if (this.ended) return;
    this.response.write(END_FRAME);
    this.close();
  }

  private sendPosition(): void {
    if (!this.isEndless || this.ended || this.blocked || this.cursor.seq <= this.sentId) return;
    this.sentId = this.cursor.seq;
    this.response.write(positionFrame(this.sentId));
  }

  private unblock(): void {
    this.blocked = false;
    if (this.rereadRequested) this.readMissed();
  }

  /** A lost live event need not be followed by one that reveals the gap, so storage is also polled. */
  private ping(): void {
    if (!this.blocked) this.response.write(': ping\n\n');
    this.sendPosition();
    this.readMissed();
  }
}

const mayPass = ({ status, kind }: ApiError): boolean => status >= 500 || kind === 'rate_limited';
