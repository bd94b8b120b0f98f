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
import { waitsForCallback } from '../hooks/callback-url.js';
import { Callbacks } from '../hooks/callbacks.js';
import { HOOK_WORK, Hooks } from '../hooks/hooks.repository.js';
import { Router } from '../routing/router.js';
import { StateWrites } from '../sessions/state-writes.repository.js';
import { ChildTasks } from './child-tasks.js';
import { ownCaller } from './company-egress.js';
import { abortable } from './abortable.js';
import { Holders } from './holders.repository.js';
import { failureOfModel } from './model-failure.js';
import type { Fail, Next, RunAction } from './next.js';
import { nextStep } from './next-step.js';
import { RESTS } from './rests.js';
import { SecretHolder } from './secret-holder.js';
import { isTerminal } from './task.js';
import { TaskNews } from './task-news.js';
import type { RunningTask } from './running-task.js';
import { type Failed, type Recorded, TaskProgress } from './task-progress.repository.js';
import { briefOf, outcomeOf, TaskSteps } from './task-steps.js';
import { TaskWaits } from './task-waits.js';
import { TaskOver } from './task-writes.repository.js';

/** Kind of the work that is a task. */
export const TASK_WORK = 'agent_task';
/** Kind of the work that is a background action of a task, `<task id>/<step>`. */
export const ACTION_WORK = 'agent_action';

const CONCURRENCY = 64;
const MAX_TASK_MS = 30 * 60_000;
const HOLDER_MS = 4000;
const ROUTE_MS = 120_000;

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
  /** Tasks that rest while their secrets are here, each with how to stop listening for its end. */
  private readonly resting = new Map<string, () => void>();

  constructor(
    private readonly progress: TaskProgress,
    private readonly steps: TaskSteps,
    private readonly secrets: SecretHolder,
    private readonly holders: Holders,
    private readonly news: TaskNews,
    private readonly waits: TaskWaits,
    private readonly callbacks: Callbacks,
    private readonly children: ChildTasks,
    private readonly states: StateWrites,
    private readonly router: Router,
    private readonly hooks: Hooks,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(WORK) store: WorkStore,
    bus: BusConnection,
  ) {
    const run = (job: Job, signal: AbortSignal): Promise<void> => this.guard(job, () => this.work(job, signal));
    const exhausted = (job: Job): Promise<void> => this.guard(job, () => this.giveUp(job));
    const act = (job: Job, signal: AbortSignal): Promise<void> => this.guard(job, () => this.actLater(job, signal));
    const giveUp = (job: Job): Promise<void> =>
      this.guard(job, () => this.actLater(job, new AbortController().signal, INTERRUPTED.error_message));
    const expire = (job: Job): Promise<void> => this.guard(job, () => this.hooks.expire(job));
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
      .concat({ kind: HOOK_WORK, concurrency: CONCURRENCY, run: expire, exhausted: expire })
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
    if (rests) this.keepUntilOver(taskOf(job));
    else this.release(taskOf(job));
  }

  private release(taskId: string): void {
    this.secrets.release(taskId);
    if (!this.secrets.of(taskId)) this.callbacks.forget(taskId);
  }

  /** A task that rests keeps its secrets here until it goes on, or ends while it rests. */
  private keepUntilOver(taskId: string): void {
    if (!this.secrets.of(taskId) || this.resting.has(taskId)) return;
    const stop = this.news.onEnd(taskId, () => {
      this.wake(taskId);
      this.release(taskId);
    });
    this.resting.set(taskId, stop);
  }

  private wake(taskId: string): void {
    this.resting.get(taskId)?.();
    this.resting.delete(taskId);
  }

  private async begin(job: Job): Promise<RunningTask | null> {
    const task = await this.progress.load(job.companyId, job.ref);
    // A task that waits goes on only after its callback, which makes it RUNNING first.
    if (!task || isTerminal(task.status) || task.status === 'WAITING_WEBHOOK') return null;
    return task.status === 'QUEUED' ? this.progress.start(job) : task;
  }

  private async giveUp(job: Job): Promise<void> {
    if (await this.begin(job)) await this.progress.end(job, INTERRUPTED);
  }

  private async work(job: Job, signal: AbortSignal): Promise<typeof RESTS | void> {
    this.wake(job.ref);
    const over = new AbortController();
    const stop = this.news.onEnd(job.ref, () => over.abort(new TaskOver()));
    try {
      const task = await this.begin(job);
      if (!task) return;
      const bag = this.secrets.of(task.id);
      if (task.has_secrets && !bag) return await this.progress.end(job, SECRETS_GONE);
      return await this.advance(job, task, bag, AbortSignal.any([signal, over.signal]));
    } finally {
      stop();
    }
  }

  private async advance(
    job: Job,
    task: RunningTask,
    bag: SecretBag | undefined,
    signal: AbortSignal,
  ): Promise<typeof RESTS | void> {
    let next = nextStep(briefOf(task), task.steps);
    for (;;) {
      signal.throwIfAborted();
      if (next.kind === 'model' && Date.now() - (task.active_since ?? 0) > MAX_TASK_MS)
        return this.progress.end(job, TOO_LONG);
      if (next.kind === 'complete' || next.kind === 'fail') return this.progress.end(job, outcomeOf(next, task));
      const made = await this.make(job, task, next, bag, signal);
      if (made === RESTS) return RESTS;
      if ('kind' in made) return this.progress.end(job, outcomeOf(made, task));
      if ('route' in made) {
        await this.progress.decide(job, made);
        task.routing = made;
        next = nextStep(briefOf(task), task.steps);
        if (next.kind === 'action') await this.progress.begin(job, next);
        continue;
      }
      task.steps.push(made.step);
      next = nextStep(briefOf(task), task.steps);
      const ends = next.kind === 'complete' || next.kind === 'fail' ? outcomeOf(next, task) : null;
      await this.progress.record(job, task.steps, made, ends ?? (next.kind === 'action' ? next : null));
      if (ends) return;
    }
  }

  private async make(
    job: Job,
    task: RunningTask,
    next: Exclude<Next, { kind: 'complete' | 'fail' }>,
    bag: SecretBag | undefined,
    signal: AbortSignal,
  ): Promise<Recorded | typeof RESTS | Fail | NonNullable<RunningTask['routing']>> {
    try {
      switch (next.kind) {
        case 'child':
          return await this.children.make(job, task, next, bag);
        case 'state':
          return this.states.make(task, next, bag);
        case 'action':
          return await this.act(job, task, next, bag, signal);
        case 'route':
          return await this.route(task, signal);
        case 'model':
          return await this.steps.ask(task, next, bag, signal);
      }
    } catch (error) {
      signal.throwIfAborted();
      const failure = next.kind === 'model' || next.kind === 'route' ? failureOfModel(error) : null;
      if (!failure) throw error;
      return { ...failure, message: bag ? bag.scrub(failure.message) : failure.message };
    }
  }

  private async act(job: Job, task: RunningTask, next: RunAction, bag: SecretBag | undefined, signal: AbortSignal) {
    if (next.chosen && next.refusal === undefined && waitsForCallback(next.chosen.action))
      return this.callbacks.make(job, task, next, bag, signal);
    return this.withKind(task, await this.steps.act(task, next, bag, signal));
  }

  /** Rules may ask the model of the company, so they are asked once and what they say is kept. */
  private async route(task: RunningTask, signal: AbortSignal) {
    const { input_messages: messages, snapshot, state, metadata } = task;
    const caller = ownCaller(task.companyId, Date.now() + ROUTE_MS);
    const decided = this.router.route(snapshot, { messages, state, request: { messages, metadata } }, caller);
    const { matched_rule_id: rule_id, route } = await abortable(decided, signal);
    return { rule_id: rule_id ?? null, route };
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
