const TICK_MS = 100;
const STALL_MS = 750;

/** Notices when this process, and so most likely the whole machine, stood still: what was late then proves nothing. */
export class Standstill {
  private last = performance.now();
  private ended = -Infinity;
  private readonly timer = setInterval(() => this.tick(), TICK_MS);

  private tick(): void {
    const now = performance.now();
    if (now - this.last > STALL_MS) this.ended = now;
    this.last = now;
  }

  /** Whether there was one after a moment, by `performance.now()`. */
  since(moment: number): boolean {
    this.tick();
    return this.ended >= moment;
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
