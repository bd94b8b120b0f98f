import type { ConsumedEvent } from './consumed-messages.js';

/** Events that wait for the next attempt of a failed one of their resource, which is the first of its list. */
export class HeldEvents {
  private readonly byResource = new Map<string, ConsumedEvent[]>();
  private readonly timers = new Set<NodeJS.Timeout>();

  /** How many events wait. */
  get count(): number {
    let count = 0;
    for (const events of this.byResource.values()) count += events.length;
    return count;
  }

  /** Queues an event behind the failed one of its resource; false when none has failed. */
  queue(event: ConsumedEvent): boolean {
    if (this.byResource.size === 0) return false;
    const before = this.byResource.get(event.resource);
    before?.push(event);
    return before !== undefined;
  }

  /** Holds a failed event, and calls `retry` after the pause. */
  hold(event: ConsumedEvent, pauseMs: number, retry: () => void): void {
    const isFirst = this.byResource.get(event.resource)?.[0] === event;
    if (!isFirst) this.byResource.set(event.resource, [event]);
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      retry();
    }, pauseMs);
    this.timers.add(timer);
  }

  /** Forgets an event that needs no more attempts; returns those behind it. */
  release(event: ConsumedEvent): ConsumedEvent[] {
    const events = this.byResource.get(event.resource);
    if (events?.[0] !== event) return [];
    this.byResource.delete(event.resource);
    return events.slice(1);
  }

  /** Starts no more attempts. */
  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }
}
