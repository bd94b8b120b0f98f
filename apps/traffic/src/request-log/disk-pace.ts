/** Far more than a write into the memory of the kernel takes, and more than a busy machine interrupts a process for. */
const SLOW_WRITE_MS = 50;
/** A flush that takes longer is the sign of a disk that will soon delay writes as well. */
const SLOW_FLUSH_MS = 200;
const CAREFUL_MS = 5000;
/** More than this is copied by another thread in any case. */
const MAX_BYTES = 256 * 1024;

/**
 * Decides whether lines are written in the event loop. The kernel copies them into its memory, which takes less than
 * handing them to another thread and waiting for it. Once the disk delays a write or a flush, the event loop leaves
 * writing to other threads for some seconds: at most one write in five seconds holds up the calls of the process.
 */
export class DiskPace {
  private carefulUntil = -Infinity;
  private flushingSince: number | null = null;

  constructor(private readonly clock: () => number = () => performance.now()) {}

  /** True when this many bytes may be written in the event loop. */
  allows(bytes: number): boolean {
    if (bytes > MAX_BYTES) return false;
    const now = this.clock();
    return now >= this.carefulUntil && (this.flushingSince === null || now - this.flushingSince < SLOW_FLUSH_MS);
  }

  /** Runs a write in the event loop and notes how long it held it up. */
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
