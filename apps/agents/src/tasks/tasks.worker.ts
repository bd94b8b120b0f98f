import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { BusConnection, WorkLoop } from '@signalbox/bus';
import { FenceLost } from '@signalbox/database';
import { type Job, LOGGER, type Logger, staleWrites, WORK, type WorkStore } from '@signalbox/platform';
import { HOOK_WORK, Hooks } from '../hooks/hooks.repository.js';
import { BackgroundActions } from './background-actions.js';
import { Holders } from './holders.repository.js';
import { RestingTasks } from './resting-tasks.js';
import { RESTS } from './rests.js';
import { SecretHolder } from './secret-holder.js';
import { TaskLoop } from './task-loop.js';
import { INTERRUPTED } from './task-outcome.js';
import { TaskWaits } from './task-waits.js';
import { ACTION_WORK, TASK_WORK, taskOf } from './task-work.js';
import { TaskOver } from './task-writes.repository.js';

const CONCURRENCY = 64;
const HOLDER_MS = 4000;

type Work = (job: Job, signal: AbortSignal) => Promise<typeof RESTS | void>;

/** Takes up the work of tasks: the tasks themselves, their background actions and the ends of their hooks. */
@Injectable()
export class TaskWorker implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loops: WorkLoop[];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly secrets: SecretHolder,
    private readonly holders: Holders,
    private readonly resting: RestingTasks,
    private readonly waits: TaskWaits,
    loop: TaskLoop,
    background: BackgroundActions,
    hooks: Hooks,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(WORK) store: WorkStore,
    bus: BusConnection,
  ) {
    const kind = (name: string, run: Work, exhausted: (job: Job) => ReturnType<Work>): WorkLoop =>
      new WorkLoop(store, bus, logger, {
        kind: name,
        concurrency: CONCURRENCY,
        run: (job, signal) => this.guard(job, () => run(job, signal)),
        exhausted: (job) => this.guard(job, () => exhausted(job)),
      });
    const never = new AbortController().signal;
    this.loops = [
      ...[TASK_WORK, secrets.ownKind(TASK_WORK)].map((name) =>
        kind(
          name,
          (job, signal) => loop.work(job, signal),
          (job) => loop.giveUp(job),
        ),
      ),
      ...[ACTION_WORK, secrets.ownKind(ACTION_WORK)].map((name) =>
        kind(
          name,
          (job, signal) => background.run(job, signal),
          (job) => background.run(job, never, INTERRUPTED.error_message),
        ),
      ),
      kind(
        HOOK_WORK,
        (job) => hooks.expire(job),
        (job) => hooks.expire(job),
      ),
    ];
  }

  /** Alive before the first secret can arrive. */
  async onModuleInit(): Promise<void> {
    await this.holders.stayAlive(this.secrets.id);
  }

  onApplicationBootstrap(): void {
    this.loops.forEach((loop) => loop.start());
    this.timer = setInterval(() => void this.beat(), HOLDER_MS);
  }

  /** Hands the leases back; callers of this process wait on elsewhere. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
    clearInterval(this.timer);
    this.waits.close();
    await this.holders.leave(this.secrets.id);
  }

  private async beat(): Promise<void> {
    try {
      await this.holders.stayAlive(this.secrets.id);
      const moved = await this.holders.handOver();
      if (moved > 0) this.logger.warn({ moved }, 'work of dead holders was handed over');
      await this.resting.sweep();
    } catch (error) {
      this.logger.warn({ error }, 'holders and tasks at rest could not be checked');
    }
  }

  /** A worker that lost its lease, or whose task has ended otherwise, stops silently. */
  private async guard(job: Job, work: () => Promise<typeof RESTS | void>): Promise<void> {
    let rests = false;
    try {
      rests = (await work()) === RESTS;
    } catch (error) {
      if (error instanceof FenceLost) {
        staleWrites.inc({ kind: job.kind.split('@', 1)[0] ?? '' });
        this.logger.info({ ref: job.ref, fence: job.fence }, 'a stale write was refused');
      } else if (!(error instanceof TaskOver)) throw error;
    }
    if (job.kind === HOOK_WORK) return;
    if (rests) this.resting.rest(job.companyId, taskOf(job));
    else this.resting.release(taskOf(job));
  }
}
