export interface ConcurrencyLimits {
  slots: number;
  slotsPerKey: number;
  waitMs: number;
}

interface QueuedCall {
  name: string;
  admit: (leave: (() => void) | null) => void;
  timer: NodeJS.Timeout;
}

/** A fixed number of slots, with a maximum per name; further requests wait in order of arrival. */
export class ConcurrencyQueue {
  private inUse = 0;
  private readonly byName = new Map<string, number>();
  private readonly queue = new Set<QueuedCall>();

  constructor(private readonly limits: ConcurrencyLimits) {}

  /**
   * Calls back with the function that releases the slot, or with null when none became free in time. The returned
   * function cancels the wait; the callback is not called after it.
   */
  enter(name: string, admit: (leave: (() => void) | null) => void): () => void {
    if (this.hasSlot(name)) {
      admit(this.grantSlot(name));
      return () => undefined;
    }
    const waiting: QueuedCall = {
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

  /** Resolves with the function that releases the slot; rejects with `refusal()` when none became free in time. */
  slot(name: string, refusal: () => Error): Promise<() => void> {
    return new Promise((resolve, reject) => {
      this.enter(name, (leave) => (leave ? resolve(leave) : reject(refusal())));
    });
  }

  private hasSlot(name: string): boolean {
    return this.inUse < this.limits.slots && (this.byName.get(name) ?? 0) < this.limits.slotsPerKey;
  }

  private grantSlot(name: string): () => void {
    this.inUse++;
    this.byName.set(name, (this.byName.get(name) ?? 0) + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.inUse--;
      const own = (this.byName.get(name) ?? 1) - 1;
      if (own > 0) this.byName.set(name, own);
      else this.byName.delete(name);
      this.admitNext();
    };
  }

  private admitNext(): void {
    for (const waiting of this.queue) {
      if (this.inUse >= this.limits.slots) return;
      if (!this.hasSlot(waiting.name)) continue;
      clearTimeout(waiting.timer);
      this.queue.delete(waiting);
      waiting.admit(this.grantSlot(waiting.name));
    }
  }
}
