import { Injectable } from '@nestjs/common';
import { RunNotifications } from '../events/run-notifications.js';

const POLL_MS = 1500;

/** Woken by notifications, with a slow poll because these can be lost. */
@Injectable()
export class RunWaits {
  private readonly waiting = new Set<AutoResetEvent>();
  private closed = false;

  constructor(private readonly notifications: RunNotifications) {}

  /** The first result of `find` that is not null; null when `until` (epoch ms) has passed. */
  untilEnded<T>(runId: string, until: number, find: () => Promise<T | null>): Promise<T | null> {
    return this.until(until, find, (wake) => [this.notifications.onEnd(runId, wake)]);
  }

  /** Also woken when the run or a descendant begins to wait for a callback. */
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

  close(): void {
    this.closed = true;
    for (const bell of this.waiting) bell.set();
  }
}

/** Wakes one waiter; a `set` before the wait ends it at once. */
export class AutoResetEvent {
  private isSet = false;
  private wake: () => void = () => undefined;

  set(): void {
    this.isSet = true;
    this.wake();
  }

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
