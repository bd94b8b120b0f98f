import { Injectable } from '@nestjs/common';
import type { Job } from '@signalbox/platform';
import {
  type Attempt,
  type LostReason,
  retriedPart,
  type RunSteps,
  StreamSubscribers,
  SUSPENDED,
} from '@signalbox/runs';
import {
  INTERRUPTED,
  isOutOfTime,
  isPaid,
  loopStateOf,
  ModelEffect,
  modelFailed,
  nextStep,
  type Outcome,
  overBudget,
  type RunningTask,
  SECRETS_UNAVAILABLE,
  spentBy,
  StartedTasks,
  type TaskAct,
  type TaskEnd,
  Tasks,
  TaskWrites,
  TIMED_OUT,
} from '../tasks/index.js';
import { StepEffects, type StepResult } from './step-effects.js';
import { TaskStarts } from './task-starts.js';

const FIRST_FENCE = 1;

const endsWith = (outcome: Outcome, before: TaskEnd['before'] = []): TaskEnd => ({ kind: 'end', outcome, before });

/** Driven by `RunLoop` of libs/runs: `nextStep` decides, `StepEffects` performs, `TaskWrites` records. */
@Injectable()
export class TaskLoop implements RunSteps<RunningTask, TaskAct, StepResult> {
  constructor(
    private readonly tasks: Tasks,
    private readonly starts: TaskStarts,
    private readonly writes: TaskWrites,
    private readonly models: ModelEffect,
    private readonly effects: StepEffects,
    private readonly subscribers: StreamSubscribers,
    private readonly started: StartedTasks,
  ) {}

  /** A task that this process has just accepted and started needs no look-up. */
  load(companyId: number, id: string): Promise<RunningTask | null> {
    const started = this.started.take(id);
    return started ? Promise.resolve(started) : this.tasks.load(companyId, id);
  }

  start(job: Job, queued: RunningTask): Promise<RunningTask | null> {
    return this.starts.start(job, queued);
  }

  /** Registers subscribers that have received deltas from an earlier worker, so that they receive the rest. */
  async resume(job: Job, task: RunningTask): Promise<RunningTask> {
    const last_streamed_step = job.fence <= FIRST_FENCE ? null : await this.tasks.lastStreamedStep(job);
    if (last_streamed_step !== null) this.subscribers.addSubscriber(job.ref);
    return { ...task, last_streamed_step };
  }

  next(task: RunningTask): TaskAct {
    return nextStep(loopStateOf(task), task.steps);
  }

  isEnd({ kind }: TaskAct): boolean {
    return kind === 'complete' || kind === 'fail' || kind === 'end';
  }

  async act(attempt: Attempt<RunningTask>, act: TaskAct) {
    if (act.kind === 'complete' || act.kind === 'fail' || act.kind === 'end') return { end: act };
    if (isOutOfTime(attempt.run)) return { end: endsWith(TIMED_OUT) };
    if (await this.isOverBudget(attempt.run, act)) return { end: overBudget(attempt.run.max_cost) };
    const began = Date.now();
    const made = await this.effects.perform(attempt, act);
    if (made === SUSPENDED) return SUSPENDED;
    if (!('kind' in made)) return { made };
    const before = act.kind === 'model' ? modelFailed(act, made, Date.now() - began) : [];
    return { end: endsWith(await this.models.outcomeOf(made, attempt.run), before) };
  }

  /** Background actions and routing cost too: only the row has the whole sum. */
  private async isOverBudget(task: RunningTask, act: TaskAct): Promise<boolean> {
    if (task.max_cost === null || !isPaid(act)) return false;
    const cost = await this.tasks.costOf(task.companyId, task.id);
    task.usage = { ...task.usage, cost };
    return spentBy(task) > task.max_cost;
  }

  async record({ job, run: task, signal }: Attempt<RunningTask>, made: StepResult): Promise<TaskAct | null> {
    if ('route' in made) {
      await retriedPart(signal, () => this.writes.decide(job, made));
      task.routing = made;
      const next = this.next(task);
      if (next.kind === 'action') await this.writes.begin(job, next);
      return next;
    }
    task.steps.push(made.step);
    const next = this.next(task);
    const ends =
      next.kind === 'complete' || next.kind === 'fail'
        ? await retriedPart(signal, () => this.models.outcomeOf(next, task, made.delivered))
        : null;
    const then = ends ?? (next.kind === 'action' ? next : null);
    await retriedPart(signal, () => this.writes.record(job, task.steps, made, then));
    return ends ? null : next;
  }

  /** Repeated while the database is down: the next attempt would make the call again that has failed. */
  async end({ job, run: task, signal }: Attempt<RunningTask>, act: TaskAct): Promise<void> {
    if (act.kind === 'end') return retriedPart(signal, () => this.writes.end(job, act.outcome, act.before));
    if (act.kind !== 'complete' && act.kind !== 'fail') return;
    const outcome = await this.models.outcomeOf(act, task);
    await retriedPart(signal, () => this.writes.end(job, outcome));
  }

  endLost(job: Job, reason: LostReason, waiting: boolean): Promise<void> {
    const outcome = reason === 'interrupted' ? INTERRUPTED : SECRETS_UNAVAILABLE;
    return waiting ? this.writes.endWaiting(job, outcome) : this.writes.end(job, outcome);
  }
}
