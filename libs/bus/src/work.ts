import { type Hands, type Job, type Logger, workOutcomes, type WorkStore } from '@signalbox/platform';
import { randomUUID } from 'node:crypto';
import type { BusConnection } from './connection.js';

/** Thrown by a handler to have the job tried again later without counting the try. */
export class TryLater extends Error {
  constructor(readonly delayMs: number) {
    super('try later');
  }
}

/** How one kind of long work is done. */
export interface WorkKind {
  kind: string;
  /** Jobs of this kind at once in this process. */
  concurrency: number;
  leaseMs?: number;
  /** Pauses before the second and later tries; default 1, 5, 15 and 30 s. */
  backoffMs?: readonly number[];
  /** Does the job; may run again after a crash, so every effect carries the job's fence. */
  run: (job: Job, signal: AbortSignal) => Promise<void>;
  /** Called instead of a sixth try. */
  exhausted: (job: Job, cause: unknown) => Promise<void>;
}

const POLL_MS = 1000;
const MAX_ATTEMPTS = 5;
const BACKOFF_MS: readonly number[] = [1000, 5000, 15_000, 30_000];
const MAX_CLAIM = 500;

interface Running {
  job: Job;
  abort: AbortController;
  done: Promise<void>;
}

/**
 * Does long work that is kept as rows. A message on the bus only says «there is work»; rows are claimed with a lease
 * and a fence, and a poll finds what no message announced, so losing the bus loses nothing.
 */
export class WorkLoop implements Hands {
  readonly owner = randomUUID();
  readonly leaseMs: number;
  private readonly running = new Map<number, Running>();
  private finished: Job[] = [];
  private claiming = false;
  /** Hands that a claim or a transaction under way may fill. */
  private spoken = 0;
  /** True while due rows may be waiting that no claim has seen: they go first. */
  private behind = true;
  private again = false;
  private flushing = false;
  private stopped = false;
  private timers: NodeJS.Timeout[] = [];
  private unlisten: () => void = () => undefined;

  constructor(
    private readonly store: WorkStore,
    private readonly connection: BusConnection,
    private readonly logger: Logger,
    private readonly work: WorkKind,
  ) {
    this.leaseMs = work.leaseMs ?? 30_000;
  }

  start(): void {
    const subject = `work.${this.connection.name}.${this.work.kind}`;
    this.store.onAdded((kind) => {
      if (kind !== this.work.kind) return;
      this.wake();
      // With free hands here nobody else needs to hear of it.
      if (this.free() <= 0) this.connection.announce(subject, '');
    });
    this.store.offer(this.work.kind, this);
    // Other processes claim what is due while the calls in flight here still end.
    this.connection.stopping.addEventListener('abort', () => (this.stopped = true), { once: true });
    this.unlisten = this.connection.listen(subject, () => this.wake());
    this.timers = [
      setInterval(() => this.wake(), POLL_MS),
      setInterval(() => void this.heartbeat(), Math.floor(this.leaseMs / 3)),
    ];
    this.wake();
  }

  /** Takes no more work, waits up to `graceMs` for running jobs, then hands their leases back. */
  async stop(graceMs = 10_000): Promise<void> {
    this.stopped = true;
    this.timers.forEach(clearInterval);
    this.unlisten();
    const all = Promise.allSettled([...this.running.values()].map((entry) => entry.done));
    await Promise.race([all, pause(graceMs)]);
    const left = [...this.running.values()];
    left.forEach((entry) => entry.abort.abort(new TryLater(0)));
    await Promise.race([Promise.allSettled(left.map((entry) => entry.done)), pause(2000)]);
    await this.flush();
  }

  private free(): number {
    return this.work.concurrency - this.running.size - this.spoken;
  }

  reserve(wanted: number): number {
    if (this.stopped || this.behind || this.claiming) return 0;
    const reserved = Math.max(0, Math.min(wanted, this.free()));
    this.spoken += reserved;
    return reserved;
  }

  take(jobs: Job[], reserved: number): void {
    this.spoken -= reserved;
    if (this.stopped) void this.handBack(jobs);
    else for (const job of jobs) this.begin(job);
    if (this.again) this.wake();
  }

  private async handBack(jobs: Job[]): Promise<void> {
    if (jobs.length === 0) return;
    await this.store
      .postpone(
        jobs.map((job) => ({ job, delayMs: 0 })),
        true,
      )
      .catch((error: unknown) => this.logger.warn({ error, kind: this.work.kind }, 'work could not be handed back'));
  }

  private wake(): void {
    this.again = true;
    if (!this.claiming && !this.stopped) void this.claim();
  }

  private async claim(): Promise<void> {
    this.claiming = true;
    try {
      while (this.again && !this.stopped && this.free() > 0) {
        this.again = false;
        const wanted = Math.min(this.free(), MAX_CLAIM);
        this.behind = true;
        const jobs = await this.claimed(wanted);
        this.behind = jobs.length === wanted;
        if (this.behind) this.again = true;
        for (const job of jobs) this.begin(job);
      }
    } catch (error) {
      this.logger.warn({ error, kind: this.work.kind }, 'work could not be claimed');
    } finally {
      this.claiming = false;
    }
  }

  private async claimed(wanted: number): Promise<Job[]> {
    this.spoken += wanted;
    try {
      return await this.store.claim(this.work.kind, this.owner, wanted, this.leaseMs);
    } finally {
      this.spoken -= wanted;
    }
  }

  private begin(job: Job): void {
    // A job claimed again while the old try still runs here: the old one has lost its fence.
    this.running.get(job.id)?.abort.abort(new Error('the lease was lost'));
    const abort = new AbortController();
    const entry: Running = { job, abort, done: Promise.resolve() };
    entry.done = this.perform(entry).finally(() => {
      if (this.running.get(job.id) === entry) this.running.delete(job.id);
      if (this.again || this.free() === 1) this.wake();
    });
    this.running.set(job.id, entry);
  }

  private async perform({ job, abort }: Running): Promise<void> {
    try {
      if (job.attempt > MAX_ATTEMPTS) await this.work.exhausted(job, new Error('the worker was lost five times'));
      else await this.work.run(job, abort.signal);
      this.finish(job, 'done');
    } catch (error) {
      await this.failed(job, abort.signal, error);
    }
  }

  private async failed(job: Job, signal: AbortSignal, error: unknown): Promise<void> {
    const reason: unknown = signal.aborted ? signal.reason : error;
    try {
      if (reason instanceof TryLater) return await this.store.postpone([{ job, delayMs: reason.delayMs }], true);
      if (signal.aborted) return;
      this.logger.warn({ error, kind: job.kind, ref: job.ref, attempt: job.attempt }, 'work failed');
      workOutcomes.inc({ kind: job.kind, outcome: 'retry' });
      if (job.attempt < MAX_ATTEMPTS)
        return await this.store.postpone(
          [{ job, delayMs: (this.work.backoffMs ?? BACKOFF_MS)[job.attempt - 1] ?? 30_000 }],
          false,
        );
      await this.work.exhausted(job, error);
      this.finish(job, 'exhausted');
    } catch (failure) {
      // Postgres is away; the lease runs out and the row is claimed again.
      this.logger.warn({ error: failure, ref: job.ref }, 'work could not be handed back');
    }
  }

  private finish(job: Job, outcome: string): void {
    workOutcomes.inc({ kind: job.kind, outcome });
    this.finished.push(job);
    if (this.flushing) return;
    this.flushing = true;
    // What ends in the same turn is marked in the same statement.
    setImmediate(() => void this.flush());
  }

  /** Completes what has piled up in one statement; while it runs the next pile grows. */
  private async flush(): Promise<void> {
    this.flushing = true;
    try {
      while (this.finished.length > 0) {
        const jobs = this.finished.splice(0, MAX_CLAIM);
        await this.store.complete(jobs);
      }
    } catch (error) {
      this.logger.warn({ error, kind: this.work.kind }, 'finished work could not be marked');
    } finally {
      this.flushing = false;
    }
  }

  private async heartbeat(): Promise<void> {
    const entries = [...this.running.values()];
    if (entries.length === 0) return;
    try {
      const held = await this.store.heartbeat(
        entries.map((entry) => entry.job),
        this.leaseMs,
      );
      for (const { job, abort } of entries) if (!held.has(job.id)) abort.abort(new Error('the lease was lost'));
    } catch (error) {
      this.logger.warn({ error, kind: this.work.kind }, 'leases could not be prolonged');
    }
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());
