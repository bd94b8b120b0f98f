/**
 * How long a process has reached a dependency without a gap. Only such a process may take the silence of another one
 * for its death: after an outage, or after standing still itself, it cannot tell who else had no chance to report.
 * Measured with the monotonic clock of the process; no figure of it is ever shared.
 */
export class Continuity {
  private since: number | undefined;
  private last = -Infinity;

  constructor(
    /** Milliseconds between two successes that count as a gap. */
    private readonly gapMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Notes that the dependency has answered. */
  succeeded(): void {
    const now = this.now();
    if (this.since === undefined || now - this.last > this.gapMs) this.since = now;
    this.last = now;
  }

  /** Notes that the dependency has not answered. */
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
