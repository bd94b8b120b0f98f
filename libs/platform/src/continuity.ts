/**
 * How long this process has reached a dependency without a gap. Only such a process may treat the silence of another as
 * its death: after an outage or a pause of its own it cannot distinguish a dead process from one that could not report.
 * By the monotonic clock, whose values are never shared.
 */
export class Continuity {
  private since: number | undefined;
  private last = -Infinity;

  constructor(
    /** Milliseconds between two successes that count as a gap. */
    private readonly gapMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  succeeded(): void {
    const now = this.now();
    if (this.since === undefined || now - this.last > this.gapMs) this.since = now;
    this.last = now;
  }

  failed(): void {
    this.since = undefined;
    this.last = this.now();
  }

  holds(ms: number): boolean {
    return this.unbrokenSince <= this.now() - ms;
  }

  /** `time` is of the monotonic clock of this process, in ms. */
  brokenAfter(time: number): boolean {
    return this.unbrokenSince > time;
  }

  private get unbrokenSince(): number {
    return this.since === undefined || this.now() - this.last > this.gapMs ? Infinity : this.since;
  }
}
