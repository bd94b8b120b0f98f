/** Far more than a write into the page cache takes, and longer than a busy machine interrupts a process. */
const SLOW_WRITE_MS = 50;
/** A longer flush is the sign of a disk that will soon delay writes as well. */
const SLOW_FLUSH_MS = 200;
const CAREFUL_MS = 5000;
/** Larger writes always go to another thread. */
const MAX_BYTES = 256 * 1024;

/**
 * Decides whether lines are written in the event loop. A write into the page cache takes less than handing it to
 * another thread and waiting for it. Once the disk delays a write or a flush, other threads write for some seconds: at
 * most one write in five seconds blocks the calls of the process.
 */
export class DiskPace {
  private carefulUntil = -Infinity;
  private flushingSince: number | null = null;

  constructor(private readonly clock: () => number = () => performance.now()) {}

  allows(bytes: number): boolean {
    if (bytes > MAX_BYTES) return false;
    const now = this.clock();
    return now >= this.carefulUntil && (this.flushingSince === null || now - this.flushingSince < SLOW_FLUSH_MS);
  }

  timed<Result>(write: () => Result): Result {
    const began = this.clock();
    try {
      return write();
    } finally {
      const now = this.clock();
      if (now - began >= SLOW_WRITE_MS) this.carefulUntil = now + CAREFUL_MS;
    }
  }

  flushBegins(): void {
    this.flushingSince = this.clock();
  }

  flushEnded(): void {
    this.flushingSince = null;
  }
}
