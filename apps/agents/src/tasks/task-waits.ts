import { Injectable } from '@nestjs/common';
import type { EndedTask } from './submission/invocation.js';
import { TaskNotifications } from './streaming/task-notifications.js';
import { TaskEndings } from './task-endings.repository.js';

const POLL_MS = 1500;

/** Waits for tasks to end: woken by news, with a slow poll for news that was lost. */
@Injectable()
export class TaskWaits {
  private readonly waiting = new Set<() => void>();
  private closed = false;

  constructor(
    private readonly endings: TaskEndings,
    private readonly news: TaskNotifications,
  ) {}

  /** The outcome of a task, or null when it has not ended by then. */
  untilEnded(companyId: number, taskId: string, until: number): Promise<EndedTask | null> {
    return this.until(
      until,
      (wake) => [this.news.onEnd(taskId, wake)],
      () => this.endings.findEnded(companyId, taskId),
    );
  }

  /** The outcome of a task, or the task as it waits for a callback, its own or that of a task below it, or null when neither is so by then. */
  untilAnswered(companyId: number, taskId: string, until: number): Promise<EndedTask | null> {
    const listen = (wake: () => void) => [this.news.onEnd(taskId, wake), this.news.onWait(taskId, wake)];
    return this.until(until, listen, () => this.endings.findEnded(companyId, taskId, true));
  }

  private async until(
    until: number,
    listen: (wake: () => void) => (() => void)[],
    find: () => Promise<EndedTask | null>,
  ): Promise<EndedTask | null> {
    let resume: () => void = () => undefined;
    let heard = false;
    const wake = (): void => {
      heard = true;
      resume();
    };
    const stops = listen(wake);
    this.waiting.add(wake);
    try {
      for (;;) {
        heard = false;
        const ended = await find();
        const left = until - Date.now();
        if (ended || left <= 0 || this.closed) return ended;
        if (heard) continue;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.min(left, POLL_MS));
          resume = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    } finally {
      stops.forEach((stop) => stop());
      this.waiting.delete(wake);
    }
  }

  /** Ends all waits: this process stops, the tasks go on elsewhere. */
  close(): void {
    this.closed = true;
    for (const wake of [...this.waiting]) wake();
  }
}
