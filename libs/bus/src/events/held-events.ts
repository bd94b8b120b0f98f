import type { ConsumedEvent } from './consumed-messages.js';

const MIB = 1024 * 1024;
/** What a process holds of all companies for one consumer. */
const MAX_HELD = { events: 400, bytes: 16 * MIB };
const MAX_HELD_OF_COMPANY = { events: 100, bytes: 4 * MIB };

interface Load {
  events: number;
  bytes: number;
}

/**
 * Events of resources of which one failed, in their order: the failed one, or those that are applied next, come first.
 * While a resource has such events its later ones are queued behind them.
 */
export class HeldEvents {
  private readonly byResource = new Map<string, ConsumedEvent[]>();
  private readonly byCompany = new Map<number, Load>();
  private readonly all: Load = { events: 0, bytes: 0 };
  private readonly timers = new Set<NodeJS.Timeout>();

  /** Whether the company has as many events here as it may. */
  isFull(companyId: number): boolean {
    const load = this.byCompany.get(companyId);
    return load !== undefined && reaches(load, MAX_HELD_OF_COMPANY);
  }

  /** Whether one more event of the company may be held. */
  hasRoom(companyId: number): boolean {
    return !this.isFull(companyId) && !reaches(this.all, MAX_HELD);
  }

  /** Whether events of its resource wait here. */
  isBehind(event: ConsumedEvent): boolean {
    return this.byResource.size > 0 && this.byResource.has(event.resource);
  }

  /** Whether it is the one of its resource that is attempted next. */
  isFirst(event: ConsumedEvent): boolean {
    return this.byResource.get(event.resource)?.[0] === event;
  }

  /** Queues an event behind those of its resource. */
  queue(event: ConsumedEvent): void {
    this.byResource.get(event.resource)?.push(event);
    this.count([event], 1);
  }

  /** Holds a failed event, and calls `retry` after the pause. */
  hold(event: ConsumedEvent, pauseMs: number, retry: () => void): void {
    if (!this.isFirst(event)) {
      this.byResource.set(event.resource, [event]);
      this.count([event], 1);
    }
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      retry();
    }, pauseMs);
    this.timers.add(timer);
  }

  /** Forgets the first events of a resource, which need no more attempts; returns those behind them, which stay. */
  releaseFollowing(done: readonly ConsumedEvent[]): ConsumedEvent[] {
    const [first] = done;
    const events = first && this.byResource.get(first.resource);
    if (!events || events[0] !== first) return [];
    this.count(events.splice(0, done.length), -1);
    if (events.length === 0) this.byResource.delete(first.resource);
    return [...events];
  }

  /** Starts no more attempts. */
  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }

  private count(events: readonly ConsumedEvent[], sign: 1 | -1): void {
    for (const { about, bytes } of events) {
      const { companyId } = about;
      const load = this.byCompany.get(companyId) ?? { events: 0, bytes: 0 };
      for (const each of [load, this.all]) {
        each.events += sign;
        each.bytes += sign * bytes;
      }
      if (load.events > 0) this.byCompany.set(companyId, load);
      else this.byCompany.delete(companyId);
    }
  }
}

const reaches = (load: Load, bound: Load): boolean => load.events >= bound.events || load.bytes >= bound.bytes;
