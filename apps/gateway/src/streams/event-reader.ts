import type { ServerResponse } from 'node:http';
import type { Caller, Endpoint, StreamEvent, StreamPart } from '@signalbox/contracts';
import { frameOf, heardEvent, isTerminal, StreamCursor } from './stream-cursor.js';

/** The call that reads the stored part of a stream. */
export interface StreamCall {
  endpoint: Endpoint;
  input: object;
  caller: Caller;
}

/** Where a reader gets its events. */
export interface EventSource {
  /** The last event the client has already seen. */
  from: number;
  /** What is stored after an event. */
  read: (seq: number) => Promise<StreamPart>;
  /** Subscribes to a live subject; answers how to stop. */
  listen: (subject: string, heard: (payload: Uint8Array) => void) => () => void;
  failed: (error: unknown) => void;
}

const PING_MS = 15_000;
const RETRY_MS = 1000;

/**
 * Feeds one client: live events as they are announced, and whatever was missed from storage. What the client is too
 * slow to take is not kept here; it is read again once there is room.
 */
export class EventReader {
  private readonly cursor: StreamCursor;
  private catchingUp = false;
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

  /** Resolves when the stream has ended, whoever ended it. */
  run(first: StreamPart): Promise<void> {
    return new Promise((resolve) => {
      this.finished = resolve;
      this.response.on('close', () => this.end());
      if (this.response.destroyed) return this.end();
      this.response.on('drain', () => this.unblock());
      this.response.flushHeaders();
      // Subscribed before the stored events are read to the end, so that none falls between.
      this.unlisten = this.source.listen(first.subject, (payload) => this.hear(payload));
      this.timers.push(setInterval(() => this.ping(), PING_MS));
      this.sendStored(first);
      this.catchUp();
    });
  }

  /** Reads from storage what has not been sent; one reading at a time. */
  catchUp(): void {
    this.again = true;
    if (!this.catchingUp && !this.ended) void this.readStored();
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.unlisten();
    this.timers.forEach(clearInterval);
    this.response.end();
    this.finished();
  }

  private hear(payload: Uint8Array): void {
    if (this.ended) return;
    if (this.blocked) return void (this.again = true);
    const event = heardEvent(Buffer.from(payload).toString());
    if (event === null) return;
    const heard = this.cursor.hear(event);
    if (heard === 'send') this.send(event);
    else if (heard === 'gap') this.catchUp();
  }

  private async readStored(): Promise<void> {
    this.catchingUp = true;
    try {
      while (this.again && !this.blocked && !this.ended) {
        this.again = false;
        const part = await this.source.read(this.cursor.seq);
        // A part may be cut short, so the end is reached only with an empty one.
        if (this.sendStored(part) > 0) this.again = true;
      }
    } catch (error) {
      this.source.failed(error);
      this.timers.push(setTimeout(() => this.catchUp(), RETRY_MS));
    } finally {
      this.catchingUp = false;
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
    if (this.again) this.catchUp();
  }

  /** Announcements can be lost without a later one to show it, so storage is looked at now and then. */
  private ping(): void {
    if (!this.blocked) this.response.write(': ping\n\n');
    this.catchUp();
  }
}
