import { setMaxListeners } from 'node:events';

const DEFAULT_GRACE_MS = 10_000;

/**
 * `stopping` aborts at once (claims, consumers and new calls end), `graceOver` when the grace period of calls in flight
 * is over. Connections stay open until then.
 */
export class GracefulStop {
  private readonly begun = new AbortController();
  private readonly over = new AbortController();
  readonly stopping: AbortSignal = this.begun.signal;
  readonly graceOver: AbortSignal = this.over.signal;

  constructor(readonly graceMs = DEFAULT_GRACE_MS) {
    // Each call in flight may listen.
    setMaxListeners(0, this.stopping, this.graceOver);
  }

  begin(): void {
    if (this.stopping.aborted) return;
    setTimeout(() => this.over.abort(), this.graceMs).unref();
    this.begun.abort();
  }

  /** Waits at most until the grace period is over; returns whether the work ended in time. */
  within(work: Promise<unknown>): Promise<boolean> {
    return new Promise((resolve) => {
      const late = (): void => resolve(false);
      const ended = (): void => {
        this.graceOver.removeEventListener('abort', late);
        resolve(true);
      };
      if (this.graceOver.aborted) return late();
      this.graceOver.addEventListener('abort', late, { once: true });
      work.then(ended, ended);
    });
  }
}
