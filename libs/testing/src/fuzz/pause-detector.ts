const TICK_MS = 100;
const STALL_MS = 750;

/** Detects pauses of this process, hence most likely of the machine: a late reply then proves nothing. */
export class PauseDetector {
  private last = performance.now();
  private ended = -Infinity;
  private readonly timer = setInterval(() => this.tick(), TICK_MS);

  private tick(): void {
    const now = performance.now();
    if (now - this.last > STALL_MS) this.ended = now;
    this.last = now;
  }

  /** `moment` is of `performance.now()`. */
  since(moment: number): boolean {
    this.tick();
    return this.ended >= moment;
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
