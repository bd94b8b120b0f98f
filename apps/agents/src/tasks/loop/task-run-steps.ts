import { Injectable } from '@nestjs/common';
import type { Job } from '@signalbox/platform';
import { type Attempt, type LostReason, type RunSteps, StreamSubscribers, SUSPENDED } from '@signalbox/runs';
import { modelFailed } from '../steps/step-events.js';
import { nextStep } from '../steps/next-step.js';
import { loopStateOf, TaskSteps } from '../steps/task-steps.js';
import type { RunningTask } from './running-task.js';
import { RunningTasks } from './running-tasks.repository.js';
import { type MadeStep, TaskActs } from './task-acts.js';
import {
  type EndsWith,
  INTERRUPTED,
  MAX_TASK_MS,
  type Outcome,
  SECRETS_GONE,
  type TaskAct,
  TOO_LONG,
} from './task-outcome.js';
import { TaskProgress } from './task-progress.repository.js';
import { TaskStarts } from './task-starts.js';

/** The fence of work that nobody had before. */
const FIRST_FENCE = 1;

/** How long a task has worked itself; while sub-agents are at work it is suspended. */
const workedMs = ({ worked_ms, loaded_at }: RunningTask): number => worked_ms + performance.now() - loaded_at;

const endsWith = (outcome: Outcome, before: EndsWith['before'] = []): EndsWith => ({ kind: 'end', outcome, before });

/** What a task does, step by step: the decisions are in `nextStep`, the effects in `TaskActs`. */
@Injectable()
export class TaskRunSteps implements RunSteps<RunningTask, TaskAct, MadeStep> {
  constructor(
    private readonly tasks: RunningTasks,
    private readonly starts: TaskStarts,
    private readonly progress: TaskProgress,
    private readonly steps: TaskSteps,
    private readonly acts: TaskActs,
    private readonly subscribers: StreamSubscribers,
  ) {}

  load(companyId: number, id: string): Promise<RunningTask | null> {
    return this.tasks.load(companyId, id);
  }

  start(job: Job): Promise<RunningTask | null> {
    return this.starts.start(job);
  }

  /** Clients that have received the beginning of an answer receive the rest from this worker. */
  async resume(job: Job, task: RunningTask): Promise<RunningTask> {
    const last_told = job.fence <= FIRST_FENCE ? null : await this.tasks.lastTold(job);
    if (last_told !== null) this.subscribers.follow(job.ref);
    return { ...task, last_told };
  }

  next(task: RunningTask): TaskAct {
    return nextStep(loopStateOf(task), task.steps);
  }

  isEnd({ kind }: TaskAct): boolean {
    return kind === 'complete' || kind === 'fail' || kind === 'end';
  }

  async act(attempt: Attempt<RunningTask>, act: TaskAct) {
    if (act.kind === 'complete' || act.kind === 'fail' || act.kind === 'end') return { end: act };
    if (act.kind === 'model' && workedMs(attempt.run) > MAX_TASK_MS) return { end: endsWith(TOO_LONG) };
    const began = Date.now();
    const made = await this.acts.make(attempt, act);
    if (made === SUSPENDED) return SUSPENDED;
    if (!('kind' in made)) return { made };
    const before = act.kind === 'model' ? modelFailed(act, made, Date.now() - began) : [];
    return { end: endsWith(await this.steps.outcomeOf(made, attempt.run), before) };
  }

  async record({ job, run: task }: Attempt<RunningTask>, made: MadeStep): Promise<TaskAct | null> {
    if ('route' in made) {
      await this.progress.decide(job, made);
      task.routing = made;
      const next = this.next(task);
      if (next.kind === 'action') await this.progress.begin(job, next);
      return next;
    }
    task.steps.push(made.step);
    const next = this.next(task);
    const ends =
      next.kind === 'complete' || next.kind === 'fail' ? await this.steps.outcomeOf(next, task, made.told) : null;
    await this.progress.record(job, task.steps, made, ends ?? (next.kind === 'action' ? next : null));
    return ends ? null : next;
  }

  async end({ job, run: task }: Attempt<RunningTask>, act: TaskAct): Promise<void> {
    if (act.kind === 'end') return this.progress.end(job, act.outcome, act.before);
    if (act.kind === 'complete' || act.kind === 'fail')
      await this.progress.end(job, await this.steps.outcomeOf(act, task));
  }

  endLost(job: Job, reason: LostReason, waiting: boolean): Promise<void> {
    const outcome = reason === 'interrupted' ? INTERRUPTED : SECRETS_GONE;
    return waiting ? this.progress.endWaiting(job, outcome) : this.progress.end(job, outcome);
  }
}
