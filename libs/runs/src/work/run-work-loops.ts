import { Inject, Injectable } from '@nestjs/common';
import { BusConnection, WorkLoop } from '@signalbox/bus';
import { FenceLost, type Job, LOGGER, type Logger, staleWrites, WORK, type WorkStore } from '@signalbox/platform';
import { RunEndedError } from '../run-kind.js';
import { heldKind } from '../secrets/held-kind.js';
import { RUN_JOBS, type RunJobs } from './run-jobs.js';
import { SUSPENDED, SuspendedRuns } from './suspended-runs.js';

const CONCURRENCY = 64;

export const runIdOf = (job: Job): string => job.ref.split('/', 1)[0] ?? '';

/** Undefined takes the default of the work loop. */
export class RunWorkSettings {
  constructor(
    /** This and `concurrency` are per kind and depth in this process. */
    readonly perCompany?: number,
    readonly leaseMs?: number,
    readonly concurrency = CONCURRENCY,
  ) {}
}

@Injectable()
export class RunWorkLoops {
  constructor(
    @Inject(RUN_JOBS) private readonly jobs: readonly RunJobs[],
    private readonly suspended: SuspendedRuns,
    private readonly settings: RunWorkSettings,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(WORK) private readonly store: WorkStore,
    private readonly bus: BusConnection,
  ) {}

  startShared(): WorkLoop[] {
    return this.jobs.map((jobs) => this.start(jobs.work, jobs));
  }

  startHeld(holder: string): WorkLoop[] {
    return this.jobs.filter(({ held }) => held).map((jobs) => this.start(heldKind(jobs.work, holder), jobs));
  }

  private start(kind: string, jobs: RunJobs): WorkLoop {
    const loop = new WorkLoop(this.store, this.bus, this.logger, {
      kind,
      concurrency: this.settings.concurrency,
      perCompany: this.settings.perCompany,
      ...(this.settings.leaseMs ? { leaseMs: this.settings.leaseMs } : {}),
      ...(jobs.pollMs ? { pollMs: jobs.pollMs } : {}),
      run: (job, signal, stopping) => this.guard(jobs, job, () => jobs.run(job, signal, stopping)),
      exhausted: (job) => this.guard(jobs, job, () => jobs.onExhausted(job)),
    });
    loop.start();
    return loop;
  }

  /** A lost lease or an ended run is not an error. */
  private async guard(jobs: RunJobs, job: Job, work: () => Promise<typeof SUSPENDED | void>): Promise<void> {
    const held = this.suspended.heldFor(runIdOf(job));
    let suspended = false;
    try {
      suspended = (await work()) === SUSPENDED;
    } catch (error) {
      if (error instanceof FenceLost) return this.fenceLost(jobs, job);
      if (!(error instanceof RunEndedError)) throw error;
    }
    if (!jobs.held) return;
    if (suspended) this.suspended.suspend(job.companyId, runIdOf(job));
    else this.suspended.release(runIdOf(job), held);
  }

  /** Another attempt has the job, possibly in this process, so the secrets of the run are kept. */
  private fenceLost({ work }: RunJobs, job: Job): void {
    staleWrites.inc({ kind: work });
    this.logger.info({ ref: job.ref, fence: job.fence }, 'a stale write was refused');
    if (job.ref === runIdOf(job)) this.suspended.suspend(job.companyId, job.ref);
  }
}
