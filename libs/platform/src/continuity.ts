/**
 * How long a process has reached a dependency without a gap. Only such a process may treat the silence of another one
 * as its death: after an outage, or after a pause of this process, it cannot distinguish a dead process from one that could
 * not report. Measured with the monotonic clock of the process; no figure of it is ever shared.
 */
export class Continuity {
  private since: number | undefined;
  private last = -Infinity;

  constructor(
    /** Milliseconds between two successes that count as a gap. */
    private readonly gapMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Records a success of the dependency. */
  succeeded(): void {
    const now = this.now();
    if (this.since === undefined || now - this.last > this.gapMs) this.since = now;
    this.last = now;
  }

  /** Records a failure of the dependency. */
  failed(): void {
    this.since = undefined;
    this.last = this.now();
  }

  /** Whether there was no gap for so many milliseconds. */
  holds(ms: number): boolean {
    return this.unbrokenSince <= this.now() - ms;
  }

  /** Whether there has been a gap after a time of this process, in milliseconds of the monotonic clock. */
  brokenAfter(time: number): boolean {
    return this.unbrokenSince > time;
  }

  private get unbrokenSince(): number {
    return this.since === undefined || this.now() - this.last > this.gapMs ? Infinity : this.since;
  }
}
