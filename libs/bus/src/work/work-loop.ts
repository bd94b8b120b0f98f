import {
  Continuity,
  FenceLost,
  type Job,
  type Logger,
  type SlotReserver,
  staleWrites,
  tracing,
  withTimeout,
  workLeaseMs,
  workOutcomes,
  type WorkStore,
} from '@signalbox/platform';
import { randomUUID } from 'node:crypto';
import type { BusConnection } from '../connection.js';
import { JobOutcomeBuffer } from './job-outcome-buffer.js';
import { type LeasedJob, WorkHeartbeat } from './work-heartbeat.js';
import {
  backoffOf,
  companyShare,
  isOutage,
  MAX_ATTEMPTS,
  outagePause,
  sharedKind,
  TryLater,
  type WorkKind,
} from './work-kind.js';
import { tracedAttempt } from './work-span.js';
import { WorkerSlots } from './worker-slots.js';

const POLL_MS = 1000;
const MAX_CLAIM = 500;
/** Pauses after claims that found only jobs locked by others: as long as a claim, up to a slow transaction. */
const CONTENDED_MS = { first: 5, longest: 100 };
const ABORT_MS = 2000;
const STORE_MS = 5000;

interface Running extends LeasedJob {
  began: number;
  done: Promise<void>;
}

/**
 * Runs jobs that are stored as rows. Messages on the bus only announce them; rows are claimed with a lease and a fence,
 * and a poll finds unannounced ones, so losing the bus loses nothing. An attempt that ends because a dependency is down
 * does not count. Only a worker that has reached the database without a gap takes over jobs of a silent one: after an
 * outage every worker extends its own leases first.
 */
export class WorkLoop implements SlotReserver {
  readonly owner = randomUUID();
  readonly leaseMs: number;
  private readonly running = new Map<number, Running>();
  private readonly slots: WorkerSlots;
  private readonly ends: JobOutcomeBuffer;
  private readonly heartbeat: WorkHeartbeat;
  private readonly database: Continuity;
  private readonly stopping = new AbortController();
  private claiming: Promise<void> | undefined;
  /** While true, due rows may exist that no claim has seen: they go first. */
  private backlogPossible = true;
  private claimRequested = false;
  private polling = false;
  /** Until then, claims that the database has not replied to may have leased rows to this worker. */
  private unreceivedUntil = -Infinity;
  private timers: NodeJS.Timeout[] = [];
  private unlisten: () => void = () => undefined;

  constructor(
    private readonly store: WorkStore,
    private readonly connection: BusConnection,
    private readonly logger: Logger,
    private readonly work: WorkKind,
  ) {
    this.leaseMs = work.leaseMs ?? workLeaseMs();
    this.slots = new WorkerSlots(work.concurrency, companyShare(work));
    this.ends = new JobOutcomeBuffer(store, logger, () => this.wake());
    this.database = new Continuity(this.leaseMs / 2);
    const leased = () => ({ running: [...this.running.values()], ended: this.ends.jobs });
    this.heartbeat = new WorkHeartbeat(store, logger, this.database, this.leaseMs, leased);
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  start(): void {
    const subject = `work.${this.connection.name}.${this.work.kind}`;
    this.store.onAdded((kind) => {
      if (kind !== this.work.kind) return;
      this.wake();
      // With a free slot here no other process needs the announcement.
      if (this.slots.free <= 0 || this.stopped) this.connection.announce(subject, '');
    });
    this.store.offer(this.work.kind, this);
    // Other processes claim due jobs while the calls in flight here still end.
    this.connection.stopping.addEventListener('abort', () => this.stopping.abort(), { once: true });
    this.unlisten = this.connection.listen(subject, () => this.wake());
    this.timers = [setInterval(() => void this.poll(), Math.min(this.work.pollMs ?? POLL_MS, this.leaseMs / 6))];
    this.heartbeat.start();
    this.wake();
  }

  /**
   * Gives running jobs up to `graceMs` to end or to yield between two steps, then releases them to other processes.
   * Leases are extended meanwhile.
   */
  async stop(graceMs = 10_000): Promise<void> {
    this.stopping.abort();
    this.timers.forEach(clearInterval);
    this.unlisten();
    await this.claiming;
    await withTimeout(this.allEnded(), graceMs, () => undefined);
    this.running.forEach(({ abort }) => abort.abort(new TryLater(0)));
    await withTimeout(this.allEnded(), ABORT_MS, () => undefined);
    await this.ends.close(STORE_MS);
    this.heartbeat.stop();
    this.connection.announce(`work.${this.connection.name}.${this.work.kind}`, '');
  }

  private allEnded(): Promise<unknown> {
    return Promise.all([...this.running.values()].map(({ done }) => done));
  }

  reserve(companyId: number, wanted: number): number {
    if (this.stopped || this.backlogPossible || this.claiming) return 0;
    const reserved = this.slots.freeFor(companyId, wanted);
    if (reserved > 0) this.slots.take(companyId, reserved);
    return reserved;
  }

  take(companyId: number, jobs: Job[], reserved: number): void {
    this.slots.release(companyId, reserved);
    this.begin(jobs);
    if (this.claimRequested || this.claiming) this.wake();
  }

  private wake(): void {
    this.claimRequested = true;
    if (this.claiming || this.stopped) return;
    this.claiming = this.claim().finally(() => {
      this.claiming = undefined;
      // Asked for after the last look of the claim: nothing else would begin another one before the poll.
      if (this.claimRequested && this.slots.free > 0) this.wake();
    });
  }

  private async poll(): Promise<void> {
    // A claim is under way, or has to be: after a failed one, and as soon as a slot is free.
    if (this.claiming || this.slots.free <= 0 || performance.now() < this.unreceivedUntil) return this.wake();
    if (this.polling) return;
    this.polling = true;
    let mayClaim = true;
    try {
      mayClaim = await this.store.mayClaim(this.work.kind);
      this.database.succeeded();
    } catch {
      // The claim fails alike, and is logged.
    }
    this.polling = false;
    if (mayClaim) this.wake();
  }

  private async claim(): Promise<void> {
    let contended = 0;
    try {
      while (this.claimRequested && !this.stopped && this.slots.free > 0) {
        this.claimRequested = false;
        this.backlogPossible = true;
        await this.returnUnreceived();
        const { jobs, more } = await this.store.claim({
          kind: this.work.kind,
          owner: this.owner,
          limit: Math.min(this.slots.free, MAX_CLAIM),
          leaseMs: this.leaseMs,
          perCompany: this.slots.perCompany,
          busy: this.slots.busy,
          takeOver: this.database.holds(this.leaseMs / 6),
        });
        this.database.succeeded();
        this.backlogPossible = more;
        this.claimRequested ||= more;
        this.begin(jobs);
        contended = more && jobs.length === 0 ? contended + 1 : 0;
        if (contended > 0) await contendedPause(contended);
      }
    } catch (error) {
      this.database.failed();
      this.unreceivedUntil = performance.now() + this.leaseMs;
      this.logger.warn({ error, kind: this.work.kind }, 'work could not be claimed');
    }
  }

  /**
   * A claim that failed here may still take effect, even later, when a suspended database continues: its rows would
   * wait for the end of the lease.
   */
  private async returnUnreceived(): Promise<void> {
    if (performance.now() > this.unreceivedUntil) return;
    const { kind } = this.work;
    const held = [...[...this.running.values()].map(({ job }) => job), ...this.ends.jobs];
    await this.store.returnUnreceived({ kind, owner: this.owner, leaseMs: this.leaseMs, held });
  }

  /** Releases jobs whose claim was in progress when the stop began. */
  private begin(jobs: readonly Job[]): void {
    for (const job of jobs) {
      if (this.stopped) this.ends.postpone(job, 0);
      else this.run(job);
    }
  }

  private run(job: Job): void {
    // The job was claimed again while its old attempt still runs here: that attempt has lost its fence.
    this.running.get(job.id)?.abort.abort(new Error('the lease was lost'));
    this.slots.take(job.companyId);
    const entry: Running = { job, abort: new AbortController(), began: performance.now(), done: Promise.resolve() };
    this.running.set(job.id, entry);
    const ended = tracing ? tracedAttempt(tracing, job, () => this.perform(entry)) : this.perform(entry);
    entry.done = ended.finally(() => {
      if (this.running.get(job.id) === entry) this.running.delete(job.id);
      // A claim in progress counts this slot as taken.
      if (this.slots.release(job.companyId) || this.claimRequested || this.claiming) this.wake();
    });
  }

  private async perform(entry: Running): Promise<void> {
    const { job, abort } = entry;
    try {
      if (this.isLast(job.attempt - 1)) {
        await this.work.exhausted(job, new Error('the worker was lost five times'));
        return this.finish(job, 'exhausted');
      }
      await this.work.run(job, abort.signal, this.stopping.signal);
      this.finish(job, 'done');
    } catch (error) {
      await this.failed(entry, error);
    }
  }

  private async failed(entry: Running, error: unknown): Promise<void> {
    const { job, abort } = entry;
    const reason: unknown = abort.signal.aborted ? abort.signal.reason : error;
    if (reason instanceof TryLater) return this.ends.postpone(job, reason.delayMs);
    if (error instanceof FenceLost) return this.fenceLost(job);
    if (abort.signal.aborted) return;
    tracing?.failed(error);
    const log = { error, kind: job.kind, ref: job.ref, attempt: job.attempt };
    // A dependency was down, or this process could not reach the database during the attempt.
    if (isOutage(error) || this.database.brokenAfter(entry.began)) {
      this.logger.warn(log, 'work met an outage');
      workOutcomes.inc({ kind: sharedKind(job), outcome: 'outage' });
      return this.ends.retry(job, outagePause(), true);
    }
    this.logger.warn(log, 'work failed');
    if (this.isLast(job.attempt)) return this.exhaust(entry, error);
    workOutcomes.inc({ kind: sharedKind(job), outcome: 'retry' });
    this.ends.retry(job, backoffOf(this.work, job.attempt, error), false);
  }

  private isLast(attempt: number): boolean {
    return attempt >= MAX_ATTEMPTS && !this.work.unlimitedAttempts;
  }

  /** Another attempt holds the job: the outcome of this one is stale as well. */
  private fenceLost(job: Job): void {
    staleWrites.inc({ kind: sharedKind(job) });
    this.logger.info({ kind: job.kind, ref: job.ref, fence: job.fence }, 'a stale write was refused');
  }

  private async exhaust(entry: Running, cause: unknown): Promise<void> {
    const { job } = entry;
    try {
      await this.work.exhausted(job, cause);
      this.finish(job, 'exhausted');
    } catch (error) {
      this.logger.warn({ error, kind: job.kind, ref: job.ref }, 'work could not be given up');
      this.ends.retry(job, backoffOf(this.work, job.attempt, error), true);
    }
  }

  private finish(job: Job, outcome: string): void {
    workOutcomes.inc({ kind: sharedKind(job), outcome });
    this.ends.done(job);
  }
}

const contendedPause = (times: number): Promise<void> => {
  const ms = Math.min(CONTENDED_MS.first * 2 ** (times - 1), CONTENDED_MS.longest);
  return new Promise((resolve) => setTimeout(resolve, ms * (0.5 + Math.random())));
};
