import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { BusConnection } from '@signalbox/bus';
import type { StreamEvent } from '@signalbox/contracts';

const PREFIX = 'live.agents.';
const ENDED = /"type":"task\.(completed|failed|cancelled)"/;

/** Core NATS subject of the events of a task. */
export const liveSubject = (taskId: string): string => `${PREFIX}${taskId}`;

/** Tells every process what has just happened in a task, and hears of tasks that have ended. */
@Injectable()
export class TaskNews implements OnApplicationShutdown {
  private readonly ended = new Map<string, Set<() => void>>();
  private readonly unlisten: () => void;

  constructor(private readonly bus: BusConnection) {
    this.unlisten = bus.listen(`${PREFIX}*`, (payload, subject) => {
      // The type stands in the first bytes, see `tell`; a long result is not parsed for it.
      if (ENDED.test(Buffer.from(payload.subarray(0, 80)).toString('utf8'))) this.end(subject.slice(PREFIX.length));
    });
  }

  /** Announces committed events; listeners of this process hear of an end even while the bus is away. */
  tell(taskId: string, events: readonly StreamEvent[]): void {
    for (const { seq, type, data } of events) {
      const text = JSON.stringify({ seq, type, data });
      if (ENDED.test(text.slice(0, 80))) this.end(taskId);
      this.bus.announce(liveSubject(taskId), text);
    }
  }

  /** Calls back once the task has ended; answers how to stop listening. */
  onEnd(taskId: string, heard: () => void): () => void {
    const listeners = this.ended.get(taskId) ?? new Set();
    this.ended.set(taskId, listeners.add(heard));
    return () => {
      listeners.delete(heard);
      if (listeners.size === 0 && this.ended.get(taskId) === listeners) this.ended.delete(taskId);
    };
  }

  private end(taskId: string): void {
    for (const heard of [...(this.ended.get(taskId) ?? [])]) heard();
  }

  onApplicationShutdown(): void {
    this.unlisten();
  }
}
