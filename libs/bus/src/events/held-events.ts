import type { ConsumedEvent } from './consumed-messages.js';

/**
 * Events of resources of which one failed, in their order: the failed one, or those that are applied next, come first.
 * While a resource has such events its later ones are queued behind them.
 */
export class HeldEvents {
  private readonly byResource = new Map<string, ConsumedEvent[]>();
  private readonly timers = new Set<NodeJS.Timeout>();

  /** How many events wait. */
  get count(): number {
    let count = 0;
    for (const events of this.byResource.values()) count += events.length;
    return count;
  }

  /** Queues an event behind those of its resource; false when it has none. */
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

  /** Forgets the first events of a resource, which need no more attempts; returns those behind them, which stay. */
  behind(done: readonly ConsumedEvent[]): ConsumedEvent[] {
    const [first] = done;
    const events = first && this.byResource.get(first.resource);
    if (!events || events[0] !== first) return [];
    events.splice(0, done.length);
    if (events.length === 0) this.byResource.delete(first.resource);
    return [...events];
  }

  /** Starts no more attempts. */
  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }
}
