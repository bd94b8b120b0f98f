import type { Continuity, Job, Logger, WorkStore } from '@signalbox/platform';

const RETRY_MS = 1000;

export interface LeasedJob {
  job: Job;
  abort: AbortController;
}

/** Extends the leases of one worker; after an outage at once, before other workers may take over its jobs. */
export class WorkHeartbeat {
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly store: Pick<WorkStore, 'heartbeat'>,
    private readonly logger: Logger,
    private readonly database: Continuity,
    private readonly leaseMs: number,
    private readonly leased: () => { running: LeasedJob[]; ended: Job[] },
  ) {}

  start(): void {
    this.next(this.leaseMs / 3);
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private next(ms: number): void {
    if (!this.stopped) this.timer = setTimeout(() => void this.beat().then((pause) => this.next(pause)), ms);
  }

  private async beat(): Promise<number> {
    const { running, ended } = this.leased();
    const jobs = [...running.map(({ job }) => job), ...ended];
    if (jobs.length === 0) return this.leaseMs / 3;
    try {
      const held = await this.store.heartbeat(jobs, this.leaseMs);
      this.database.succeeded();
      for (const { job, abort } of running) if (!held.has(job.id)) abort.abort(new Error('the lease was lost'));
      return this.leaseMs / 3;
    } catch (error) {
      this.database.failed();
      this.logger.warn({ error, jobs: jobs.length }, 'leases could not be prolonged');
      return Math.min(RETRY_MS, this.leaseMs / 10);
    }
  }
}
