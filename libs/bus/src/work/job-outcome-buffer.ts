import type { Job, Logger, WorkStore } from '@signalbox/platform';

type End = { job: Job; postponed?: { delayMs: number; keepAttempt: boolean; failed: boolean } };

const BATCH = 500;
const RETRY_MS = 250;
/** Longer delays end at a poll of the worker. */
const SHORT_MS = 1000;
/** What the store can hold, 24 days: with a longer delay no outcome that shares its statement would be stored. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * Stores how jobs ended; outcomes of one turn share a statement. While the database is down an outcome is retried and
 * the job stays leased, so finished work does not run twice.
 */
export class JobOutcomeBuffer {
  private waiting: End[] = [];
  private storing: End[] = [];
  private flushing: Promise<void> | undefined;
  private closed = false;

  constructor(
    private readonly store: Pick<WorkStore, 'complete' | 'postpone'>,
    private readonly logger: Logger,
    private readonly due: () => void,
  ) {}

  get jobs(): Job[] {
    return [...this.storing, ...this.waiting].map(({ job }) => job);
  }

  done(job: Job): void {
    this.add({ job });
  }

  /** A delay that the job asked for: the attempt does not count. */
  postpone(job: Job, delayMs: number): void {
    this.add({ job, postponed: { delayMs: storable(delayMs), keepAttempt: true, failed: false } });
  }

  retry(job: Job, delayMs: number, keepAttempt: boolean): void {
    this.add({ job, postponed: { delayMs: storable(delayMs), keepAttempt, failed: true } });
  }

  /** Waits until all outcomes are stored, at most `limitMs`; nothing is stored after that. */
  async close(limitMs: number): Promise<void> {
    const timer = setTimeout(() => (this.closed = true), limitMs);
    while (this.flushing && !this.closed) await this.flushing;
    clearTimeout(timer);
    this.closed = true;
  }

  private add(end: End): void {
    this.waiting.push(end);
    this.flushing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.flush());
  }

  private async flush(): Promise<void> {
    while (this.waiting.length > 0 && !this.closed) {
      this.storing = this.waiting.splice(0, BATCH);
      try {
        await this.storeAll(this.storing);
        this.storing = [];
      } catch (error) {
        this.logger.warn({ error, jobs: this.jobs.length }, 'the outcome of work could not be stored and is retried');
        this.waiting = [...this.storing.splice(0), ...this.waiting];
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
      }
    }
    this.flushing = undefined;
  }

  /** Safe to repeat: after the first time the job has another fence, or is done. */
  private async storeAll(ends: readonly End[]): Promise<void> {
    const done = ends.filter(({ postponed }) => !postponed).map(({ job }) => job);
    const later = (keep: boolean) =>
      ends.flatMap(({ job, postponed }) =>
        postponed?.keepAttempt === keep ? [{ job, delayMs: postponed.delayMs, failed: postponed.failed }] : [],
      );
    let due = done.length > 0 && (await this.store.complete(done));
    for (const keep of [true, false]) {
      const jobs = later(keep);
      if (jobs.length === 0) continue;
      due = (await this.store.postpone(jobs, keep)) || due;
      this.dueAfter(Math.min(...jobs.map(({ delayMs }) => delayMs)));
    }
    if (due) this.due();
  }

  private dueAfter(delayMs: number): void {
    if (delayMs > 0 && delayMs <= SHORT_MS) setTimeout(() => this.due(), delayMs + 1).unref();
  }
}

const storable = (delayMs: number): number => Math.min(Math.ceil(delayMs), MAX_DELAY_MS);
