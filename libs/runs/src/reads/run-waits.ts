import { Injectable } from '@nestjs/common';
import { RunNotifications } from '../events/run-notifications.js';

const POLL_MS = 1500;

/** Waits for runs: woken by notifications, with a slow poll because notifications can be lost. */
@Injectable()
export class RunWaits {
  private readonly waiting = new Set<AutoResetEvent>();
  private closed = false;

  constructor(private readonly notifications: RunNotifications) {}

  /** Resolves with the first result of `find` that is not null; null when `until` (epoch milliseconds) has passed. */
  untilEnded<T>(runId: string, until: number, find: () => Promise<T | null>): Promise<T | null> {
    return this.until(until, find, (wake) => [this.notifications.onEnd(runId, wake)]);
  }

  /** The same, also woken when the run begins to wait for a callback, its own or a descendant's. */
  untilEndedOrWaiting<T>(runId: string, until: number, find: () => Promise<T | null>): Promise<T | null> {
    const { notifications } = this;
    return this.until(until, find, (wake) => [notifications.onEnd(runId, wake), notifications.onWait(runId, wake)]);
  }

  private async until<T>(
    until: number,
    find: () => Promise<T | null>,
    listen: (wake: () => void) => (() => void)[],
  ): Promise<T | null> {
    const bell = new AutoResetEvent();
    const stops = listen(() => bell.set());
    this.waiting.add(bell);
    try {
      for (;;) {
        const found = await find();
        const left = until - Date.now();
        if (found !== null || left <= 0 || this.closed) return found;
        await bell.wait(Math.min(left, POLL_MS));
      }
    } finally {
      stops.forEach((stop) => stop());
      this.waiting.delete(bell);
    }
  }

  /** Ends all waits when this process stops; the runs continue in other processes. */
  close(): void {
    this.closed = true;
    for (const bell of this.waiting) bell.set();
  }
}

/** Wakes one waiter; a `set` before the wait ends that wait at once. */
export class AutoResetEvent {
  private isSet = false;
  private wake: () => void = () => undefined;

  set(): void {
    this.isSet = true;
    this.wake();
  }

  /** Resolves after `set`, at the latest after `ms` milliseconds. */
  async wait(ms: number): Promise<void> {
    if (!this.isSet)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.isSet = false;
  }
}
