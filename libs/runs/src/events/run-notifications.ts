import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { BusConnection } from '@signalbox/bus';
import type { StreamEvent } from '@signalbox/contracts';
import type { CommittedEvents } from '../run-kind.js';

/** The type is in the first bytes of a message (see `publishOne`); the rest is not parsed. */
const HEAD_BYTES = 120;
const TYPE = /"type":"([^"]+)"/;

interface RunSubscription {
  listeners: number;
  unlisten: () => void;
}

/**
 * Publishes committed events of runs, and calls listeners when runs end or wait. A process receives only the events of
 * runs that it has listeners for, because a run may publish many. Events may be missed while a listener is added, so
 * listeners read the run after that, or now and then.
 */
@Injectable()
export class RunNotifications implements OnApplicationShutdown {
  private readonly endTypes = new Set<string>();
  private readonly waitTypes = new Set<string>();
  private readonly ended = new Listeners();
  private readonly waiting = new Listeners();
  private readonly any = new Listeners();
  private readonly prefix: string;
  private readonly followed = new Map<string, RunSubscription>();

  constructor(private readonly bus: BusConnection) {
    this.prefix = `live.${bus.name}.`;
  }

  recognise({ end, wait }: { end: readonly string[]; wait: readonly string[] }): void {
    for (const type of end) this.endTypes.add(type);
    for (const type of wait) this.waitTypes.add(type);
  }

  subjectOf(runId: string): string {
    return `${this.prefix}${runId}`;
  }

  isEnd(type: string): boolean {
    return this.endTypes.has(type);
  }

  /** Listeners of this process are called even while the bus is down. */
  publish(committed: readonly CommittedEvents[]): void {
    for (const { id, events } of committed) for (const event of events) this.publishOne(id, event);
  }

  private publishOne(runId: string, { seq, type, data }: StreamEvent): void {
    this.received(runId, type);
    this.bus.announce(this.subjectOf(runId), JSON.stringify({ seq, type, data }));
  }

  onEnd(runId: string, callback: () => void): () => void {
    return this.listen(this.ended, runId, callback);
  }

  /** The run begins to wait for a callback. */
  onWait(runId: string, callback: () => void): () => void {
    return this.listen(this.waiting, runId, callback);
  }

  onEvent(runId: string, callback: () => void): () => void {
    return this.listen(this.any, runId, callback);
  }

  private listen(listeners: Listeners, runId: string, callback: () => void): () => void {
    const remove = listeners.add(runId, callback);
    const followed = this.followed.get(runId) ?? { listeners: 0, unlisten: this.follow(runId) };
    followed.listeners += 1;
    this.followed.set(runId, followed);
    let isOver = false;
    return () => {
      remove();
      if (isOver) return;
      isOver = true;
      followed.listeners -= 1;
      if (followed.listeners > 0) return;
      followed.unlisten();
      this.followed.delete(runId);
    };
  }

  private follow(runId: string): () => void {
    return this.bus.listen(this.subjectOf(runId), (payload) => {
      const head = Buffer.from(payload.subarray(0, HEAD_BYTES)).toString('utf8');
      this.received(runId, TYPE.exec(head)?.[1] ?? '');
    });
  }

  private received(runId: string, type: string): void {
    this.any.call(runId);
    if (this.endTypes.has(type)) this.ended.call(runId);
    else if (this.waitTypes.has(type)) this.waiting.call(runId);
  }

  onApplicationShutdown(): void {
    for (const { unlisten } of this.followed.values()) unlisten();
  }
}

export class Listeners {
  private readonly byRun = new Map<string, Set<() => void>>();

  add(runId: string, callback: () => void): () => void {
    const listeners = this.byRun.get(runId) ?? new Set();
    this.byRun.set(runId, listeners.add(callback));
    return () => {
      listeners.delete(callback);
      if (listeners.size === 0 && this.byRun.get(runId) === listeners) this.byRun.delete(runId);
    };
  }

  call(runId: string): void {
    for (const callback of [...(this.byRun.get(runId) ?? [])]) callback();
  }
}
