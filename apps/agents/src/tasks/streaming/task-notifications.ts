import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { BusConnection } from '@signalbox/bus';
import type { StreamEvent } from '@signalbox/contracts';
import { Listeners } from './listeners.js';

const PREFIX = 'live.agents.';
const ENDED = /"type":"task\.(completed|failed|cancelled)"/;
const SUSPENDED = /"type":"task\.waiting"/;

/** Core NATS subject of the events of a task. */
export const liveSubject = (taskId: string): string => `${PREFIX}${taskId}`;

/** Tells every process what has just happened in a task, and hears of tasks that have ended. */
@Injectable()
export class TaskNotifications implements OnApplicationShutdown {
  private readonly ended = new Listeners();
  private readonly rested = new Listeners();
  private readonly any = new Listeners();
  private readonly unlisten: () => void;

  constructor(private readonly bus: BusConnection) {
    this.unlisten = bus.listen(`${PREFIX}*`, (payload, subject) => {
      // The type stands in the first bytes, see `tell`; a long result is not parsed for it.
      this.hear(subject.slice(PREFIX.length), Buffer.from(payload.subarray(0, 80)).toString('utf8'));
    });
  }

  /** Announces committed events; listeners of this process hear of an end even while the bus is away. */
  publish(taskId: string, events: readonly StreamEvent[]): void {
    for (const { seq, type, data } of events) {
      const text = JSON.stringify({ seq, type, data });
      this.hear(taskId, text.slice(0, 80));
      this.bus.announce(liveSubject(taskId), text);
    }
  }

  /** Calls back once the task has ended; answers how to stop listening. */
  onEnd(taskId: string, heard: () => void): () => void {
    return this.ended.add(taskId, heard);
  }

  /** Calls back when the task begins to wait for a callback; answers how to stop listening. */
  onWait(taskId: string, heard: () => void): () => void {
    return this.rested.add(taskId, heard);
  }

  /** Calls back with whatever happens in the task; answers how to stop listening. */
  onEvent(taskId: string, heard: () => void): () => void {
    return this.any.add(taskId, heard);
  }

  private hear(taskId: string, head: string): void {
    this.any.call(taskId);
    if (ENDED.test(head)) this.ended.call(taskId);
    else if (SUSPENDED.test(head)) this.rested.call(taskId);
  }

  onApplicationShutdown(): void {
    this.unlisten();
  }
}
