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

/** The call that reads the stored part of a stream. */
export interface StreamCall {
  endpoint: Endpoint;
  input: object;
  caller: Caller;
}

/** The source of a reader's events. */
export interface EventSource {
  /** The last event the client has already received. */
  from: number;
  /** The events stored after an event. */
  read: (seq: number) => Promise<StreamPart>;
  /** Subscribes to a live subject; returns the function that unsubscribes. */
  listen: (subject: string, onPayload: (payload: Uint8Array) => void) => () => void;
  failed: (error: unknown) => void;
}

const PING_MS = 15_000;
/** Pause before a failed read is repeated, and how long reads may fail until the client has to find another way. */
const REPEATED_READS = { pauseMs: 1000, limitMs: 120_000 };
const ANNOUNCED_MS = 250;

/**
 * Sends events to one client: live events as they are published, and missed ones from storage. Events for which a slow
 * client has no room are not buffered here; they are read again once there is room.
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
  /** Start of the reads that have failed without one that succeeded. */
  private failingSince: number | undefined;
  /** The last position that the client has received as an id. */
  private sentId: number;

  /** True for a stream without a terminal event; its live messages only announce what is stored. */
  isEndless = false;

  constructor(
    private readonly response: ServerResponse,
    private readonly source: EventSource,
    private readonly repeated = REPEATED_READS,
  ) {
    this.cursor = new StreamCursor(source.from);
    this.sentId = source.from;
  }

  /** Resolves when the stream has ended, from either side. */
  run(first: StreamPart): Promise<void> {
    return new Promise((resolve) => {
      this.finished = resolve;
      this.response.on('close', () => this.close());
      if (this.response.destroyed) return this.close();
      this.response.on('drain', () => this.unblock());
      this.response.flushHeaders();
      this.isEndless = first.position !== undefined;
      // Subscribed before the stored events are read to the end, so that no event falls between.
      const { subject, subjects = [subject] } = first;
      this.unlisten = subjects.map((each) => this.source.listen(each, (payload) => this.receive(payload)));
      this.pinging = setInterval(() => this.ping(), PING_MS);
      this.sendStored(first);
      // A client that has received no event yet knows where it stands.
      this.sendPosition();
      this.readMissed();
    });
  }

  /** Reads unsent events from storage; one read at a time. */
  readMissed(): void {
    this.rereadRequested = true;
    if (!this.isReadingMissed && !this.ended) void this.readStored();
  }

  /** Ends the stream between two events: a client continues where it stands. */
  end(): void {
    if (this.ended) return;
    this.sendPosition();
    this.close();
    destroyUnread(this.response);
  }

  /** Ends the stream with an error as its last frame. */
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

  /** Nothing of a deleted run can be read any more, whatever the client has received of it. */
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
        // A page may be cut short, so only an empty one is the end.
        if (this.sendStored(part)) this.rereadRequested = true;
      }
    } catch (error) {
      this.readFailed(error);
    } finally {
      this.isReadingMissed = false;
    }
  }

  /** Repeats what may pass, for a while; a refusal stays one, as of a run that is deleted or has begun anew. */
  private readFailed(thrown: unknown): void {
    const error = toApiError(thrown);
    this.failingSince ??= Date.now();
    if (!mayPass(error) || Date.now() - this.failingSince > this.repeated.limitMs) return this.cut(error);
    this.source.failed(thrown);
    clearTimeout(this.retrying);
    this.retrying = setTimeout(() => this.readMissed(), this.repeated.pauseMs);
  }

  /** Sends the events of a part; returns whether it has brought the reader further. */
  private sendStored({ events, ended, position = 0 }: StreamPart): boolean {
    const unsent = events.filter((event) => this.cursor.read(event));
    unsent.forEach((event) => this.send(event));
    const skipped = this.cursor.skipTo(position);
    if (ended) this.complete();
    return unsent.length > 0 || skipped;
  }

  /** The announcement can be faster than the storage of the event, so storage is read once more a little later. */
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

  /** The position of an endless stream, when it is behind the last event that the client has received. */
  private sendPosition(): void {
    if (!this.isEndless || this.ended || this.blocked || this.cursor.seq <= this.sentId) return;
    this.sentId = this.cursor.seq;
    this.response.write(positionFrame(this.sentId));
  }

  private unblock(): void {
    this.blocked = false;
    if (this.rereadRequested) this.readMissed();
  }

  /** Live events can be lost without a later one to reveal it, so storage is polled now and then. */
  private ping(): void {
    if (!this.blocked) this.response.write(': ping\n\n');
    this.sendPosition();
    this.readMissed();
  }
}

const mayPass = ({ status, kind }: ApiError): boolean => status >= 500 || kind === 'rate_limited';
