import type { ServerResponse } from 'node:http';
import { ApiError, type Caller, type Endpoint, type StreamEvent, type StreamPart } from '@signalbox/contracts';
import { frameOf, liveEvent, isTerminal, StreamCursor } from './stream-cursor.js';

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
const RETRY_MS = 1000;
const ANNOUNCED_MS = 250;

/**
 * Sends events to one client: live events as they are published, and missed ones from storage. Events for which a slow
 * client has no room are not buffered here; they are read again once there is room.
 */
export class EventReader {
  private readonly cursor: StreamCursor;
  private isReadingMissed = false;
  private again = false;
  private blocked = false;
  private ended = false;
  private unlisten: () => void = () => undefined;
  private finished: () => void = () => undefined;
  private readonly timers: NodeJS.Timeout[] = [];
  private later: NodeJS.Timeout | undefined;

  /** True for a stream without a terminal event; its live messages only announce what is stored. */
  isEndless = false;

  constructor(
    private readonly response: ServerResponse,
    private readonly source: EventSource,
  ) {
    this.cursor = new StreamCursor(source.from);
  }

  /** Resolves when the stream has ended, from either side. */
  run(first: StreamPart): Promise<void> {
    return new Promise((resolve) => {
      this.finished = resolve;
      this.response.on('close', () => this.end());
      if (this.response.destroyed) return this.end();
      this.response.on('drain', () => this.unblock());
      this.response.flushHeaders();
      this.isEndless = first.position !== undefined;
      // Subscribed before the stored events are read to the end, so that no event falls between.
      this.unlisten = this.source.listen(first.subject, (payload) => this.receive(payload));
      this.timers.push(setInterval(() => this.ping(), PING_MS));
      this.sendStored(first);
      this.readMissed();
    });
  }

  /** Reads unsent events from storage; one read at a time. */
  readMissed(): void {
    this.again = true;
    if (!this.isReadingMissed && !this.ended) void this.readStored();
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.unlisten();
    this.timers.forEach(clearInterval);
    clearTimeout(this.later);
    this.response.end();
    this.finished();
  }

  private receive(payload: Uint8Array): void {
    if (this.ended) return;
    if (this.blocked) return void (this.again = true);
    if (this.isEndless) return this.readAnnounced();
    const event = liveEvent(Buffer.from(payload).toString());
    if (event === null) return;
    const outcome = this.cursor.receive(event);
    if (outcome === 'send') this.send(event);
    else if (outcome === 'gap') this.readMissed();
  }

  private async readStored(): Promise<void> {
    this.isReadingMissed = true;
    try {
      while (this.again && !this.blocked && !this.ended) {
        this.again = false;
        const part = await this.source.read(this.cursor.seq);
        // A page may be cut short, so only an empty one is the end.
        if (this.sendStored(part)) this.again = true;
      }
    } catch (error) {
      // The stream is not the one of the last read any more: the client has to begin anew.
      if (error instanceof ApiError && error.kind === 'invalid') return this.end();
      this.source.failed(error);
      this.timers.push(setTimeout(() => this.readMissed(), RETRY_MS));
    } finally {
      this.isReadingMissed = false;
    }
  }

  /** Sends the events of a part; returns whether it has brought the reader further. */
  private sendStored({ events, ended, position = 0 }: StreamPart): boolean {
    const unsent = events.filter((event) => this.cursor.read(event));
    unsent.forEach((event) => this.send(event));
    const skipped = this.cursor.skipTo(position);
    if (ended) this.end();
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
    if (isTerminal(event.type)) this.end();
  }

  private unblock(): void {
    this.blocked = false;
    if (this.again) this.readMissed();
  }

  /** Live events can be lost without a later one to reveal it, so storage is polled now and then. */
  private ping(): void {
    if (!this.blocked) this.response.write(': ping\n\n');
    this.readMissed();
  }
}
