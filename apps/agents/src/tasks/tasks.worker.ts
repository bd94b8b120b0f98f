import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { BusConnection, WorkLoop } from '@signalbox/bus';
import type { SecretBag } from '@signalbox/egress';
import { FenceLost } from '@signalbox/database';
import { type Job, LOGGER, type Logger, staleWrites, WORK, type WorkStore } from '@signalbox/platform';
import { Holders } from './holders.repository.js';
import { failureOfModel } from './model-failure.js';
import { type Next, nextStep, type RunAction } from './next-step.js';
import { SecretHolder } from './secret-holder.js';
import { isTerminal } from './task.js';
import { TaskNews } from './task-news.js';
import { type Failed, type Recorded, type RunningTask, TaskOver, TaskProgress } from './task-progress.repository.js';
import { briefOf, outcomeOf, TaskSteps } from './task-steps.js';
import { TaskWaits } from './task-waits.js';

/** Kind of the work that is a task. */
export const TASK_WORK = 'agent_task';
/** Kind of the work that is a background action of a task, `<task id>/<step>`. */
export const ACTION_WORK = 'agent_action';

const CONCURRENCY = 64;
const MAX_TASK_MS = 30 * 60_000;
const HOLDER_MS = 4000;

const failed = (failure: Omit<Failed, 'status'>): Failed => ({ status: 'FAILED', ...failure });
const SECRETS_GONE = failed({
  failure_class: 'internal',
  error_code: 'secrets_unavailable',
  error_message: 'the process that held the secrets of the task is gone',
});
const INTERRUPTED = failed({
  failure_class: 'internal',
  error_code: 'interrupted',
  error_message: 'the worker of the task was lost five times',
});
const TOO_LONG = failed({
  failure_class: 'timeout',
  error_code: 'timeout',
  error_message: `the task took longer than ${MAX_TASK_MS / 60_000} minutes`,
});

/** Works off tasks and their background actions, step by recorded step. */
@Injectable()
export class TaskWorker implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loops: WorkLoop[];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly progress: TaskProgress,
    private readonly steps: TaskSteps,
    private readonly secrets: SecretHolder,
    private readonly holders: Holders,
    private readonly news: TaskNews,
    private readonly waits: TaskWaits,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(WORK) store: WorkStore,
    bus: BusConnection,
  ) {
    const run = (job: Job, signal: AbortSignal): Promise<void> => this.guard(job, () => this.work(job, signal));
    const exhausted = (job: Job): Promise<void> => this.guard(job, () => this.giveUp(job));
    const act = (job: Job, signal: AbortSignal): Promise<void> => this.guard(job, () => this.actLater(job, signal));
    const giveUp = (job: Job): Promise<void> =>
      this.guard(job, () => this.actLater(job, new AbortController().signal, INTERRUPTED.error_message));
    this.loops = [TASK_WORK, secrets.ownKind(TASK_WORK)]
      .map((kind) => ({ kind, concurrency: CONCURRENCY, run, exhausted }))
      .concat(
        [ACTION_WORK, secrets.ownKind(ACTION_WORK)].map((kind) => ({
          kind,
          concurrency: CONCURRENCY,
          run: act,
          exhausted: giveUp,
        })),
      )
      .map((kind) => new WorkLoop(store, bus, logger, kind));
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
    } catch (error) {
      this.logger.warn({ error }, 'holders could not be checked');
    }
  }

  /** A worker that lost its lease, or whose task has ended otherwise, stops silently. */
  private async guard(job: Job, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof FenceLost) {
        staleWrites.inc({ kind: job.kind.split('@', 1)[0] ?? '' });
        this.logger.info({ ref: job.ref, fence: job.fence }, 'a stale write was refused');
      } else if (!(error instanceof TaskOver)) throw error;
    }
    this.secrets.release(taskOf(job));
  }

  private async begin(job: Job): Promise<RunningTask | null> {
    const task = await this.progress.load(job.companyId, job.ref);
    if (!task || isTerminal(task.status)) return null;
    return task.status === 'QUEUED' ? this.progress.start(job) : task;
  }

  private async giveUp(job: Job): Promise<void> {
    if (await this.begin(job)) await this.progress.end(job, INTERRUPTED);
  }

  private async work(job: Job, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const stop = this.news.onEnd(job.ref, () => over.abort(new TaskOver()));
    try {
      const task = await this.begin(job);
      if (!task) return;
      const bag = this.secrets.of(task.id);
      if (task.has_secrets && !bag) return await this.progress.end(job, SECRETS_GONE);
      await this.advance(job, task, bag, AbortSignal.any([signal, over.signal]));
    } finally {
      stop();
    }
  }

  private async advance(job: Job, task: RunningTask, bag: SecretBag | undefined, signal: AbortSignal): Promise<void> {
    const brief = briefOf(task);
    let next = nextStep(brief, task.steps);
    for (;;) {
      signal.throwIfAborted();
      if (Date.now() - (task.started_at ?? 0) > MAX_TASK_MS) return this.progress.end(job, TOO_LONG);
      if (next.kind === 'complete' || next.kind === 'fail') return this.progress.end(job, outcomeOf(next, task));
      const made = await this.make(task, next, bag, signal);
      if ('failure_class' in made) return this.progress.end(job, outcomeOf(made, task));
      task.steps.push(made.step);
      next = nextStep(brief, task.steps);
      const ends = next.kind === 'complete' || next.kind === 'fail' ? outcomeOf(next, task) : null;
      await this.progress.record(job, task.steps, made, ends ?? (next.kind === 'action' ? next : null));
      if (ends) return;
    }
  }

  private async make(
    task: RunningTask,
    next: Exclude<Next, { kind: 'complete' | 'fail' }>,
    bag: SecretBag | undefined,
    signal: AbortSignal,
  ) {
    if (next.kind === 'action') return this.withKind(task, await this.steps.act(task, next, bag, signal));
    try {
      return await this.steps.ask(task, next, bag, signal);
    } catch (error) {
      signal.throwIfAborted();
      const failure = failureOfModel(error);
      if (!failure) throw error;
      return { ...failure, message: bag ? bag.scrub(failure.message) : failure.message };
    }
  }

  private withKind(task: RunningTask, made: Recorded): Recorded {
    if (made.step.kind !== 'action' || made.step.status !== 'PENDING') return made;
    if (task.has_secrets) this.secrets.share(task.id);
    return { ...made, backgroundKind: task.has_secrets ? this.secrets.ownKind(ACTION_WORK) : ACTION_WORK };
  }

  /** Runs a background action; its task may long have its answer. */
  private async actLater(job: Job, signal: AbortSignal, why?: string): Promise<void> {
    const task = await this.progress.load(job.companyId, taskOf(job));
    const call = task && callOf(task, Number(job.ref.split('/')[1]));
    if (!task || !call) return;
    const bag = this.secrets.of(task.id);
    const refusal = why ?? this.refusalOf(task);
    const next = refusal === undefined ? call : { ...call, refusal };
    const over = new AbortController();
    // Only a cancellation stops it, and that is looked for when the news come.
    const stop = this.news.onEnd(task.id, () => void this.stopIfCancelled(job, over));
    try {
      const { step, duration_ms } = await this.steps.run(task, next, bag, AbortSignal.any([signal, over.signal]));
      await this.progress.recordBackground(job, task.id, step, call, duration_ms);
    } finally {
      stop();
    }
  }

  private refusalOf({ id, status, has_secrets }: RunningTask): string | undefined {
    if (status === 'CANCELLED') return 'the task was cancelled';
    return has_secrets && !this.secrets.of(id) ? SECRETS_GONE.error_message : undefined;
  }

  private async stopIfCancelled(job: Job, over: AbortController): Promise<void> {
    const task = await this.progress.load(job.companyId, taskOf(job)).catch(() => null);
    if (task?.status === 'CANCELLED') over.abort(new TaskOver());
  }
}

const taskOf = (job: Job): string => job.ref.split('/', 1)[0] ?? '';

/** The call behind a pending step, found again in what the model said before it. */
function callOf(task: RunningTask, stepNo: number): RunAction | null {
  const step = task.steps.find((known) => known.step_no === stepNo);
  if (step?.kind !== 'action' || step.status !== 'PENDING') return null;
  const next = nextStep(
    briefOf(task),
    task.steps.filter((known) => known.step_no < stepNo),
  );
  return next.kind === 'action' ? next : null;
}
