import { Injectable } from '@nestjs/common';
import type { Job } from '@signalbox/platform';
import { serviceCaller } from '@signalbox/bus';
import { abortable, type Attempt, SecretHolder, StreamSubscribers, stripUnstorable, SUSPENDED } from '@signalbox/runs';
import { waitsForCallback } from '../actions/index.js';
import { HookEffect } from '../hooks/index.js';
import { Router } from '../routing/index.js';
import { ChildTasks } from './child-tasks.js';
import { AnswerStream, taskAttribution } from '../models/index.js';
import { failureOfModel } from './model-failure.js';
import {
  ACTION_WORK,
  ActionEffect,
  type AskModel,
  delta,
  type Fail,
  JudgedUsage,
  ModelEffect,
  type Next,
  overBudget,
  OverBudget,
  type RunAction,
  type RunningTask,
  stateStep,
  type StepRecord,
  TaskRuns,
  Tasks,
  TaskWrites,
} from '../tasks/index.js';

const ROUTE_MS = 120_000;

export type StepResult = StepRecord | NonNullable<RunningTask['routing']>;

@Injectable()
export class StepEffects {
  constructor(
    private readonly tasks: Tasks,
    private readonly models: ModelEffect,
    private readonly actions: ActionEffect,
    private readonly hooks: HookEffect,
    private readonly children: ChildTasks,
    private readonly router: Router,
    private readonly runs: TaskRuns,
    private readonly writes: TaskWrites,
    private readonly secrets: SecretHolder,
    private readonly subscribers: StreamSubscribers,
  ) {}

  /** A failure that ends the task is returned, not thrown. */
  async perform(
    attempt: Attempt<RunningTask>,
    next: Exclude<Next, { kind: 'complete' | 'fail' }>,
  ): Promise<StepResult | Fail | typeof SUSPENDED> {
    const { job, run: task, secrets, signal } = attempt;
    try {
      switch (next.kind) {
        case 'child':
          return await this.children.execute(job, task, next, secrets);
        case 'state':
          return await stateStep(this.tasks, task, next, secrets);
        case 'action':
          return await this.runAction(attempt, next);
        case 'route':
          return await this.route(job, task, signal);
        case 'model':
          return await this.ask(attempt, next);
      }
    } catch (error) {
      signal.throwIfAborted();
      const failure = next.kind === 'model' || next.kind === 'route' ? failureOfModel(error) : null;
      if (!failure) throw error;
      return { ...failure, message: stripUnstorable(failure.message, secrets) };
    }
  }

  private async ask({ job, run: task, secrets, signal }: Attempt<RunningTask>, next: AskModel): Promise<StepRecord> {
    const answer = this.openStream(job, task, next.step_no);
    try {
      return await this.models.ask(task, next, secrets, AbortSignal.any([signal, answer.signal]), answer);
    } finally {
      await answer.end();
    }
  }

  /** Partial JSON is of no use, so a JSON answer is emitted as a whole, after validation. */
  private openStream(job: Job, task: RunningTask, step: number): AnswerStream {
    const isText = task.response_format === null || task.response_format.type === 'text';
    return new AnswerStream({
      isEnabled: isText && this.subscribers.expectsSubscriber(task.id),
      emit: (content, restart) => this.runs.writes.append(job, task.id, delta(content, step, restart)),
      hasSubscriber: () => this.subscribers.hasSubscriber(task.id),
      onSubscriber: (callback) => this.subscribers.onSubscriber(task.id, callback),
      stale: task.last_streamed_step === step,
    });
  }

  private async runAction({ job, run: task, secrets, signal }: Attempt<RunningTask>, next: RunAction) {
    if (next.chosen && next.refusal === undefined && waitsForCallback(next.chosen.action))
      return this.hooks.execute(job, task, next, secrets, signal);
    const begins = (): Promise<void> => this.writes.beginCall(job, next.step_no);
    const record = await this.actions.start(task, next, secrets, signal, begins);
    if (record.step.kind !== 'action' || record.step.status !== 'PENDING') return record;
    return { ...record, backgroundKind: task.has_secrets ? this.secrets.share(task.id, ACTION_WORK) : ACTION_WORK };
  }

  /**
   * Rules may call the judge model, so they are evaluated once and the result is stored. The cost of the judge is
   * counted however the routing ends.
   */
  private async route(job: Job, task: RunningTask, signal: AbortSignal) {
    const { input_messages: messages, snapshot, state, metadata } = task;
    const caller = serviceCaller(task.companyId, Date.now() + ROUTE_MS);
    const context = { messages, state, request: { messages, metadata } };
    const judged = new JudgedUsage(task);
    try {
      const decided = this.router.route(
        snapshot,
        context,
        { ...taskAttribution(task), ...judged.hooks(signal) },
        caller,
      );
      const { matched_rule_id: rule_id, route } = await abortable(decided, signal);
      return { rule_id: rule_id ?? null, route };
    } catch (error) {
      if (error instanceof OverBudget) return overBudget(task.max_cost);
      throw error;
    } finally {
      if (judged.isUsed) task.usage = await this.writes.spend(job, judged.usage, signal);
    }
  }
}
