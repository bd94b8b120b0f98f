/** How many slots there are, how many of them one name may hold, and how long a request waits for one. */
export interface LaneLimits {
  slots: number;
  slotsPerKey: number;
  waitMs: number;
}

interface Waiting {
  name: string;
  admit: (leave: (() => void) | null) => void;
  timer: NodeJS.Timeout;
}

/** A fixed number of slots, of which one name never holds all; further requests wait in their order. */
export class ConcurrencyQueue {
  private taken = 0;
  private readonly byName = new Map<string, number>();
  private readonly queue = new Set<Waiting>();

  constructor(private readonly limits: LaneLimits) {}

  /**
   * Calls back with the function that releases the slot, or with null when none became free in time. Returns a
   * function that cancels the wait; the callback is not called after it.
   */
  enter(name: string, admit: (leave: (() => void) | null) => void): () => void {
    if (this.hasSlot(name)) {
      admit(this.grantSlot(name));
      return () => undefined;
    }
    const waiting: Waiting = {
      name,
      admit,
      timer: setTimeout(() => {
        this.queue.delete(waiting);
        admit(null);
      }, this.limits.waitMs),
    };
    this.queue.add(waiting);
    return () => {
      clearTimeout(waiting.timer);
      this.queue.delete(waiting);
    };
  }

  private hasSlot(name: string): boolean {
    return this.taken < this.limits.slots && (this.byName.get(name) ?? 0) < this.limits.slotsPerKey;
  }

  private grantSlot(name: string): () => void {
    this.taken++;
    this.byName.set(name, (this.byName.get(name) ?? 0) + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.taken--;
      const own = (this.byName.get(name) ?? 1) - 1;
      if (own > 0) this.byName.set(name, own);
      else this.byName.delete(name);
      this.admitNext();
    };
  }

  private admitNext(): void {
    for (const waiting of this.queue) {
      if (this.taken >= this.limits.slots) return;
      if (!this.hasSlot(waiting.name)) continue;
      clearTimeout(waiting.timer);
      this.queue.delete(waiting);
      waiting.admit(this.grantSlot(waiting.name));
    }
  }
}
