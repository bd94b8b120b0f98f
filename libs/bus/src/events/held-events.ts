import type { ConsumedEvent } from './consumed-messages.js';

const MIB = 1024 * 1024;
const MAX_HELD = { events: 400, bytes: 16 * MIB };
const MAX_HELD_OF_COMPANY = { events: 100, bytes: 4 * MIB };

interface Load {
  events: number;
  bytes: number;
}

/**
 * Events of resources of which one failed, in order: first the failed one, or those that are applied next. Later events
 * of the resource queue behind them.
 */
export class HeldEvents {
  private readonly byResource = new Map<string, ConsumedEvent[]>();
  private readonly byCompany = new Map<number, Load>();
  private readonly all: Load = { events: 0, bytes: 0 };
  private readonly timers = new Set<NodeJS.Timeout>();

  isFull(companyId: number): boolean {
    const load = this.byCompany.get(companyId);
    return load !== undefined && reaches(load, MAX_HELD_OF_COMPANY);
  }

  hasRoom(companyId: number): boolean {
    return !this.isFull(companyId) && !reaches(this.all, MAX_HELD);
  }

  isBehind(event: ConsumedEvent): boolean {
    return this.byResource.size > 0 && this.byResource.has(event.resource);
  }

  isFirst(event: ConsumedEvent): boolean {
    return this.byResource.get(event.resource)?.[0] === event;
  }

  queue(event: ConsumedEvent): void {
    this.byResource.get(event.resource)?.push(event);
    this.count([event], 1);
  }

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

  /** Forgets events that need no more attempts; returns those behind them, which stay. */
  releaseFollowing(done: readonly ConsumedEvent[]): ConsumedEvent[] {
    const [first] = done;
    const events = first && this.byResource.get(first.resource);
    if (!events || events[0] !== first) return [];
    this.count(events.splice(0, done.length), -1);
    if (events.length === 0) this.byResource.delete(first.resource);
    return [...events];
  }

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
