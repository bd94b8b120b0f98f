import { Injectable } from '@nestjs/common';
import { TryLater } from '@signalbox/bus';
import type { SecretBag } from '@signalbox/egress';
import type { Job } from '@signalbox/platform';
import { waitsForCallback } from '../../hooks/callback-url.js';
import { Callbacks } from '../../hooks/callbacks.js';
import { Router } from '../../routing/router.js';
import { StateWrites } from '../../sessions/state-writes.repository.js';
import { abortable } from './abortable.js';
import { ChildTasks } from '../children/child-tasks.js';
import { serviceCaller } from '../actions/company-egress.js';
import { StreamSubscribers } from '../streaming/stream-subscribers.js';
import { modelFailed } from '../steps/step-events.js';
import { ofTask } from '../model/call-attribution.js';
import { failureOfModel } from '../model/model-failure.js';
import type { AskModel, Fail, Next, RunAction } from '../steps/next.js';
import { nextStep } from '../steps/next-step.js';
import { SuspendedTasks } from './suspended-tasks.js';
import { SUSPENDED } from './suspended.js';
import type { RunningTask } from './running-task.js';
import { RunningTasks } from './running-tasks.repository.js';
import { SecretHolder } from '../../secrets/secret-holder.js';
import { AnswerStreams } from '../streaming/answer-streams.js';
import { isTerminal } from '../task.js';
import { TaskNotifications } from '../streaming/task-notifications.js';
import { INTERRUPTED, MAX_TASK_MS, type Recorded, SECRETS_GONE, TOO_LONG } from './task-outcome.js';
import { TaskProgress } from './task-progress.repository.js';
import { TaskStarts } from './task-starts.js';
import { loopStateOf, TaskSteps } from '../steps/task-steps.js';
import { ACTION_WORK, TASK_WORK } from './task-work.js';
import { TaskEndedError } from '../task-writes.repository.js';

const ROUTE_MS = 120_000;
/** The fence of work that nobody had before. */
const FIRST_FENCE = 1;

/** How long a task has worked itself; while sub-agents are at work it is suspended. */
const workedMs = ({ worked_ms, loaded_at }: RunningTask): number => worked_ms + performance.now() - loaded_at;

/** One attempt to work on a task. */
interface Work {
  job: Job;
  task: RunningTask;
  bag: SecretBag | undefined;
  signal: AbortSignal;
  stopping: AbortSignal;
}

/** Works off one task, step by recorded step. */
@Injectable()
export class TaskLoop {
  constructor(
    private readonly tasks: RunningTasks,
    private readonly starts: TaskStarts,
    private readonly progress: TaskProgress,
    private readonly steps: TaskSteps,
    private readonly secrets: SecretHolder,
    private readonly resting: SuspendedTasks,
    private readonly news: TaskNotifications,
    private readonly followers: StreamSubscribers,
    private readonly speeches: AnswerStreams,
    private readonly callbacks: Callbacks,
    private readonly children: ChildTasks,
    private readonly states: StateWrites,
    private readonly router: Router,
  ) {}

  private async begin(job: Job): Promise<RunningTask | typeof SUSPENDED | null> {
    const task = await this.tasks.load(job.companyId, job.ref);
    if (!task || isTerminal(task.status)) return null;
    // A task that waits goes on only after its callback, which makes it RUNNING first.
    if (task.status === 'WAITING_WEBHOOK') return SUSPENDED;
    if (task.status === 'QUEUED') return this.starts.start(job);
    return { ...task, last_told: await this.lastTold(job) };
  }

  /** Whoever has heard the beginning of an answer hears on, from this worker. */
  private async lastTold(job: Job): Promise<number | null> {
    if (job.fence <= FIRST_FENCE) return null;
    const last = await this.tasks.lastTold(job);
    if (last !== null) this.followers.follow(job.ref);
    return last;
  }

  async giveUp(job: Job): Promise<void> {
    const task = await this.begin(job);
    if (task && task !== SUSPENDED) await this.progress.end(job, INTERRUPTED);
  }

  /** Works until the task ends or is suspended; a process that stops yields between two steps. */
  async work(job: Job, signal: AbortSignal, stopping: AbortSignal): Promise<typeof SUSPENDED | void> {
    this.resting.wake(job.ref);
    const over = new AbortController();
    const stop = this.news.onEnd(job.ref, () => over.abort(new TaskEndedError()));
    try {
      const task = await this.begin(job);
      if (!task) return;
      const bag = this.secrets.of(job.ref);
      if (task === SUSPENDED) return await this.suspended(job, bag);
      if (task.has_secrets && !bag) return await this.progress.end(job, SECRETS_GONE);
      return await this.advance({ job, task, bag, signal: AbortSignal.any([signal, over.signal]), stopping });
    } finally {
      stop();
    }
  }

  /** A task waits for its callback; work that every process may claim says that its secrets are lost meanwhile. */
  private async suspended(job: Job, bag: SecretBag | undefined): Promise<typeof SUSPENDED | void> {
    const task = bag || job.kind !== TASK_WORK ? null : await this.tasks.load(job.companyId, job.ref);
    if (!task?.has_secrets) return SUSPENDED;
    await this.progress.endWaiting(job, SECRETS_GONE);
  }

  private async advance({ job, task, bag, signal, stopping }: Work): Promise<typeof SUSPENDED | void> {
    let next = nextStep(loopStateOf(task), task.steps);
    for (;;) {
      signal.throwIfAborted();
      if (next.kind === 'model' && workedMs(task) > MAX_TASK_MS) return this.progress.end(job, TOO_LONG);
      if (next.kind === 'complete' || next.kind === 'fail')
        return this.progress.end(job, await this.steps.outcomeOf(next, task));
      if (stopping.aborted) throw new TryLater(0);
      const began = Date.now();
      const made = await this.make(job, task, next, bag, signal);
      if (made === SUSPENDED) return SUSPENDED;
      if ('kind' in made) {
        const before = next.kind === 'model' ? modelFailed(next, made, Date.now() - began) : [];
        return this.progress.end(job, await this.steps.outcomeOf(made, task), before);
      }
      if ('route' in made) {
        await this.progress.decide(job, made);
        task.routing = made;
        next = nextStep(loopStateOf(task), task.steps);
        if (next.kind === 'action') await this.progress.begin(job, next);
        continue;
      }
      task.steps.push(made.step);
      next = nextStep(loopStateOf(task), task.steps);
      const ends =
        next.kind === 'complete' || next.kind === 'fail' ? await this.steps.outcomeOf(next, task, made.told) : null;
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
  ): Promise<Recorded | typeof SUSPENDED | Fail | NonNullable<RunningTask['routing']>> {
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
          return await this.ask(job, task, next, bag, signal);
      }
    } catch (error) {
      signal.throwIfAborted();
      const failure = next.kind === 'model' || next.kind === 'route' ? failureOfModel(error) : null;
      if (!failure) throw error;
      return { ...failure, message: bag ? bag.scrub(failure.message) : failure.message };
    }
  }

  private async ask(job: Job, task: RunningTask, next: AskModel, bag: SecretBag | undefined, signal: AbortSignal) {
    const speech = this.speeches.open(job, task, next.step_no);
    try {
      return await this.steps.ask(task, next, bag, AbortSignal.any([signal, speech.signal]), speech);
    } finally {
      await speech.end();
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
    const caller = serviceCaller(task.companyId, Date.now() + ROUTE_MS);
    const context = { messages, state, request: { messages, metadata } };
    const decided = this.router.route(snapshot, context, ofTask(task), caller);
    const { matched_rule_id: rule_id, route } = await abortable(decided, signal);
    return { rule_id: rule_id ?? null, route };
  }

  private withKind(task: RunningTask, made: Recorded): Recorded {
    if (made.step.kind !== 'action' || made.step.status !== 'PENDING') return made;
    return { ...made, backgroundKind: task.has_secrets ? this.secrets.share(task.id, ACTION_WORK) : ACTION_WORK };
  }
}
