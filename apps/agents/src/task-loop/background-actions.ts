import { Injectable } from '@nestjs/common';
import type { Job } from '@signalbox/platform';
import { retriedPart, RunEndedError, runIdOf, RunNotifications, SecretHolder } from '@signalbox/runs';
import {
  ActionEffect,
  isPaid,
  loopStateOf,
  overBudget,
  type RunAction,
  type RunningTask,
  SECRETS_UNAVAILABLE,
  spentBy,
  Tasks,
  TaskWrites,
  unlimitedStep,
} from '../tasks/index.js';

const CANCELLED = 'the task was cancelled';

@Injectable()
export class BackgroundActions {
  constructor(
    private readonly tasks: Tasks,
    private readonly writes: TaskWrites,
    private readonly actions: ActionEffect,
    private readonly secrets: SecretHolder,
    private readonly notifications: RunNotifications,
  ) {}

  /** Possibly after the task has ended. With `why` the action is refused. */
  async run(job: Job, signal: AbortSignal, why?: string): Promise<void> {
    const task = await this.tasks.load(job.companyId, runIdOf(job));
    const call = task && callOf(task, Number(job.ref.split('/')[1]));
    if (!task || !call) return;
    const refusal = why ?? this.refusalOf(task, call);
    const next = refusal === undefined ? call : { ...call, refusal };
    const { step, duration_ms } = await this.perform(job, signal, task, next);
    await retriedPart(signal, () => this.writes.recordBackground(job, task.id, step, call, duration_ms));
  }

  /**
   * Only a cancellation stops the action, and is then its result. The notification says that the task ended, not how.
   */
  private async perform(job: Job, signal: AbortSignal, task: RunningTask, next: RunAction) {
    const bag = this.secrets.of(task.id);
    const over = new AbortController();
    const stop = this.notifications.onEnd(task.id, () => void this.stopIfCancelled(job, over));
    const began = Date.now();
    try {
      return await this.actions.run(task, next, bag, AbortSignal.any([signal, over.signal]));
    } catch (error) {
      if (signal.aborted || !over.signal.aborted) throw error;
      const { step } = await this.actions.run(task, { ...next, refusal: CANCELLED }, bag, signal);
      return { step, duration_ms: Date.now() - began };
    } finally {
      stop();
    }
  }

  private refusalOf(task: RunningTask, call: RunAction): string | undefined {
    const { id, status, has_secrets } = task;
    if (status === 'CANCELLED') return CANCELLED;
    if (has_secrets && !this.secrets.of(id)) return SECRETS_UNAVAILABLE.error_message;
    const isOverBudget = task.max_cost !== null && isPaid(call) && spentBy(task) > task.max_cost;
    return isOverBudget ? overBudget(task.max_cost).message : undefined;
  }

  private async stopIfCancelled(job: Job, over: AbortController): Promise<void> {
    const status = await this.tasks.statusOf(job.companyId, runIdOf(job)).catch(() => null);
    if (status === 'CANCELLED') over.abort(new RunEndedError());
  }
}

function callOf(task: RunningTask, stepNo: number): RunAction | null {
  const step = task.steps.find((known) => known.step_no === stepNo);
  if (step?.kind !== 'action' || step.status !== 'PENDING') return null;
  const next = unlimitedStep(
    loopStateOf(task),
    task.steps.filter((known) => known.step_no < stepNo),
  );
  return next.kind === 'action' ? next : null;
}
