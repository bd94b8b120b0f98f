/** How many holders a lane has at once, how many of them of one name, and how long a request waits for a place. */
export interface LaneLimits {
  places: number;
  perName: number;
  waitMs: number;
}

interface Waiting {
  name: string;
  admit: (leave: (() => void) | null) => void;
  timer: NodeJS.Timeout;
}

/** A fixed number of places, of which one name never holds all; requests beyond wait in their order. */
export class Lane {
  private taken = 0;
  private readonly byName = new Map<string, number>();
  private readonly queue = new Set<Waiting>();

  constructor(private readonly limits: LaneLimits) {}

  /**
   * Calls back with the function that frees the place, or with null when none became free in time. Returns a function
   * that gives the wait up; the callback is not called after it.
   */
  enter(name: string, admit: (leave: (() => void) | null) => void): () => void {
    if (this.hasPlace(name)) {
      admit(this.occupy(name));
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

  private hasPlace(name: string): boolean {
    return this.taken < this.limits.places && (this.byName.get(name) ?? 0) < this.limits.perName;
  }

  private occupy(name: string): () => void {
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
      if (this.taken >= this.limits.places) return;
      if (!this.hasPlace(waiting.name)) continue;
      clearTimeout(waiting.timer);
      this.queue.delete(waiting);
      waiting.admit(this.occupy(waiting.name));
    }
  }
}
