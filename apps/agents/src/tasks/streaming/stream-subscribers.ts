import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { BusConnection } from '@signalbox/bus';
import { Listeners } from './listeners.js';

const PREFIX = 'live.agents.followed.';
/** Whoever follows a stream reads it again every 15 seconds, and is known from that. */
const FOLLOWED_MS = 40_000;
const EXPECTED_MS = 30 * 60_000;
const MAX_KNOWN = 20_000;

interface Interest {
  expectedUntil: number;
  followedUntil: number;
}

/**
 * Which tasks somebody follows while they run, known to every process. Only their answers are told piece by piece: a
 * row for every few words would be of no use to anybody else.
 */
@Injectable()
export class StreamSubscribers implements OnApplicationShutdown {
  private readonly known = new Map<string, Interest>();
  private readonly listeners = new Listeners();
  private readonly unlisten: () => void;

  constructor(private readonly bus: BusConnection) {
    this.unlisten = bus.listen(`${PREFIX}*`, (payload, subject) =>
      this.note(subject.slice(PREFIX.length), Buffer.from(payload).toString() === 'now'),
    );
  }

  /** Somebody is likely to follow the task: models are asked so that they can be heard in the middle. */
  expect(taskId: string): void {
    this.note(taskId, false);
    this.bus.announce(`${PREFIX}${taskId}`, 'soon');
  }

  /** Somebody follows the task. */
  follow(taskId: string): void {
    this.note(taskId, true);
    this.bus.announce(`${PREFIX}${taskId}`, 'now');
  }

  isExpected(taskId: string): boolean {
    return (this.known.get(taskId)?.expectedUntil ?? 0) > Date.now();
  }

  isFollowed(taskId: string): boolean {
    return (this.known.get(taskId)?.followedUntil ?? 0) > Date.now();
  }

  /** Calls back when somebody follows the task; answers how to stop listening. */
  onFollow(taskId: string, heard: () => void): () => void {
    return this.listeners.add(taskId, heard);
  }

  private note(taskId: string, followed: boolean): void {
    const now = Date.now();
    const followedUntil = followed ? now + FOLLOWED_MS : (this.known.get(taskId)?.followedUntil ?? 0);
    // The longest unheard of make room.
    this.known.delete(taskId);
    this.known.set(taskId, { expectedUntil: now + EXPECTED_MS, followedUntil });
    if (this.known.size > MAX_KNOWN) this.known.delete(this.known.keys().next().value ?? '');
    if (followed) this.listeners.call(taskId);
  }

  onApplicationShutdown(): void {
    this.unlisten();
  }
}
