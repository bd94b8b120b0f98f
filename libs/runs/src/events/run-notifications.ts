import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { BusConnection } from '@signalbox/bus';
import type { StreamEvent } from '@signalbox/contracts';
import type { CommittedEvents } from '../run-kind.js';

/** The type is within the first bytes of its message, see `publishOne`; the rest is not parsed. */
const HEAD_BYTES = 120;
const TYPE = /"type":"([^"]+)"/;

interface RunSubscription {
  listeners: number;
  unlisten: () => void;
}

/**
 * Publishes committed events of runs, and calls listeners when runs end or wait. A process receives the events of the
 * runs that it has listeners for, and of no other: a run may publish many. Those of the moment in which a listener is
 * added may be missed, so listeners look at the run after they were added, or now and then.
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

  /** Registers the types of the events with which runs of a kind end and wait. */
  recognise({ end, wait }: { end: readonly string[]; wait: readonly string[] }): void {
    for (const type of end) this.endTypes.add(type);
    for (const type of wait) this.waitTypes.add(type);
  }

  /** Core NATS subject of the events of a run. */
  subjectOf(runId: string): string {
    return `${this.prefix}${runId}`;
  }

  /** True for a type of event that ends its stream. */
  isEnd(type: string): boolean {
    return this.endTypes.has(type);
  }

  /** Publishes committed events; listeners of this process are called even while the bus is unreachable. */
  publish(committed: readonly CommittedEvents[]): void {
    for (const { id, events } of committed) for (const event of events) this.publishOne(id, event);
  }

  private publishOne(runId: string, { seq, type, data }: StreamEvent): void {
    this.received(runId, type);
    this.bus.announce(this.subjectOf(runId), JSON.stringify({ seq, type, data }));
  }

  /** Calls back once the run has ended; returns the function that removes the listener. */
  onEnd(runId: string, callback: () => void): () => void {
    return this.listen(this.ended, runId, callback);
  }

  /** Calls back when the run begins to wait for a callback; returns the function that removes the listener. */
  onWait(runId: string, callback: () => void): () => void {
    return this.listen(this.waiting, runId, callback);
  }

  /** Calls back on every event of the run; returns the function that removes the listener. */
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

/** Callbacks by the id of their run. */
export class Listeners {
  private readonly byRun = new Map<string, Set<() => void>>();

  /** Adds a callback for a run; returns the function that removes it. */
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
