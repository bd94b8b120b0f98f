import { Inject, Injectable } from '@nestjs/common';
import { BusConnection, TryLater, WorkLoop } from '@signalbox/bus';
import { FenceLost } from '@signalbox/database';
import { type Job, LOGGER, type Logger, staleWrites, WORK, type WorkStore } from '@signalbox/platform';
import { HOOK_WORK, Hooks } from '../../hooks/hooks.repository.js';
import { BackgroundActions } from '../actions/background-actions.js';
import { SuspendedTasks } from './suspended-tasks.js';
import { SUSPENDED } from './suspended.js';
import { TaskLoop } from './task-loop.js';
import { INTERRUPTED } from './task-outcome.js';
import { CompanyShare } from '../submission/task-settings.js';
import { ACTION_WORK, TASK_WORK, taskOf } from './task-work.js';
import { TaskEndedError } from '../task-writes.repository.js';

const CONCURRENCY = 64;

type Run = (job: Job, signal: AbortSignal, stopping: AbortSignal) => Promise<typeof SUSPENDED | void>;

/** Makes the worker loops of tasks: of the tasks themselves, their background actions and the expiry of their hooks. */
@Injectable()
export class TaskLoops {
  private readonly never = new AbortController().signal;

  constructor(
    private readonly loop: TaskLoop,
    private readonly background: BackgroundActions,
    private readonly hooks: Hooks,
    private readonly resting: SuspendedTasks,
    private readonly share: CompanyShare,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(WORK) private readonly store: WorkStore,
    private readonly bus: BusConnection,
  ) {}

  /** Starts the loops over work that every process may claim. */
  startShared(): WorkLoop[] {
    const expire = (job: Job): Promise<void> => this.expire(job);
    return [...this.startTasks(''), this.start(HOOK_WORK, expire, expire)];
  }

  /** Starts the loops over work that only the keeper of a holder id claims. */
  startHeld(holder: string): WorkLoop[] {
    return this.startTasks(`@${holder}`);
  }

  private startTasks(suffix: string): WorkLoop[] {
    const { loop, background, never } = this;
    return [
      this.start(
        `${TASK_WORK}${suffix}`,
        (job, signal, stopping) => loop.work(job, signal, stopping),
        (job) => loop.giveUp(job),
      ),
      this.start(
        `${ACTION_WORK}${suffix}`,
        (job, signal) => background.run(job, signal),
        (job) => background.run(job, never, INTERRUPTED.error_message),
      ),
    ];
  }

  private start(kind: string, run: Run, exhausted: (job: Job) => ReturnType<Run>): WorkLoop {
    const loop = new WorkLoop(this.store, this.bus, this.logger, {
      kind,
      concurrency: CONCURRENCY,
      perCompany: this.share.jobs,
      run: (job, signal, stopping) => this.guard(job, () => run(job, signal, stopping)),
      exhausted: (job) => this.guard(job, () => exhausted(job)),
    });
    loop.start();
    return loop;
  }

  /** An expiry that comes early, by the clock of the database, is put back. */
  private async expire(job: Job): Promise<void> {
    const leftMs = await this.hooks.expire(job);
    if (leftMs !== null) throw new TryLater(leftMs);
  }

  /** A worker that lost its lease, or whose task has ended otherwise, stops silently. */
  private async guard(job: Job, work: () => Promise<typeof SUSPENDED | void>): Promise<void> {
    let suspended = false;
    try {
      suspended = (await work()) === SUSPENDED;
    } catch (error) {
      if (error instanceof FenceLost) return this.fenceLost(job);
      if (!(error instanceof TaskEndedError)) throw error;
    }
    if (job.kind === HOOK_WORK) return;
    if (suspended) this.resting.rest(job.companyId, taskOf(job));
    else this.resting.release(taskOf(job));
  }

  /** Another attempt has the job, in this process perhaps: it still needs the secrets. */
  private fenceLost(job: Job): void {
    const kind = job.kind.split('@', 1)[0] ?? '';
    staleWrites.inc({ kind });
    this.logger.info({ ref: job.ref, fence: job.fence }, 'a stale write was refused');
    if (kind === TASK_WORK) this.resting.rest(job.companyId, taskOf(job));
  }
}
