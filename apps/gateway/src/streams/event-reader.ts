import type { ServerResponse } from 'node:http';
import type { Caller, Endpoint, StreamEvent, StreamPart } from '@signalbox/contracts';
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
    this.response.end();
    this.finished();
  }

  private receive(payload: Uint8Array): void {
    if (this.ended) return;
    if (this.blocked) return void (this.again = true);
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
        if (this.sendStored(part) > 0) this.again = true;
      }
    } catch (error) {
      this.source.failed(error);
      this.timers.push(setTimeout(() => this.readMissed(), RETRY_MS));
    } finally {
      this.isReadingMissed = false;
    }
  }

  private sendStored({ events, ended }: StreamPart): number {
    const unsent = events.filter((event) => this.cursor.read(event));
    unsent.forEach((event) => this.send(event));
    if (ended) this.end();
    return unsent.length;
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
