import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { BusConnection } from '@signalbox/bus';
import { LRUCache } from 'lru-cache';
import { Listeners } from './run-notifications.js';

/** A subscriber reads its stream again at least every 15 seconds, which renews its entry. */
const FOLLOWED_MS = 40_000;
const EXPECTED_MS = 30 * 60_000;
const MAX_KNOWN = 20_000;

interface Interest {
  expectedUntil: number;
  followedUntil: number;
}

/**
 * The runs that have stream subscribers, shared by all processes of the service. Only their output is written in small
 * deltas; otherwise a row per delta would be wasted.
 */
@Injectable()
export class StreamSubscribers implements OnApplicationShutdown {
  /** Read without marking as used: the entries renewed longest ago are evicted. */
  private readonly known = new LRUCache<string, Interest>({ max: MAX_KNOWN });
  private readonly listeners = new Listeners();
  private readonly prefix: string;
  private readonly unlisten: () => void;

  constructor(private readonly bus: BusConnection) {
    this.prefix = `live.${bus.name}.followed.`;
    this.unlisten = bus.listen(`${this.prefix}*`, (payload, subject) =>
      this.note(subject.slice(this.prefix.length), Buffer.from(payload).toString() === 'now'),
    );
  }

  /** The run is likely to get a subscriber, so its output is worth streaming. */
  expectSubscriber(runId: string): void {
    this.note(runId, false);
    this.bus.announce(`${this.prefix}${runId}`, 'soon');
  }

  addSubscriber(runId: string): void {
    this.note(runId, true);
    this.bus.announce(`${this.prefix}${runId}`, 'now');
  }

  expectsSubscriber(runId: string): boolean {
    return (this.known.peek(runId)?.expectedUntil ?? 0) > Date.now();
  }

  hasSubscriber(runId: string): boolean {
    return (this.known.peek(runId)?.followedUntil ?? 0) > Date.now();
  }

  onSubscriber(runId: string, callback: () => void): () => void {
    return this.listeners.add(runId, callback);
  }

  private note(runId: string, followed: boolean): void {
    const now = Date.now();
    const followedUntil = followed ? now + FOLLOWED_MS : (this.known.peek(runId)?.followedUntil ?? 0);
    this.known.set(runId, { expectedUntil: now + EXPECTED_MS, followedUntil });
    if (followed) this.listeners.call(runId);
  }

  onApplicationShutdown(): void {
    this.unlisten();
  }
}
