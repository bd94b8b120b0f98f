import { Injectable } from '@nestjs/common';
import { serviceCaller } from '@signalbox/bus';
import { abortable, type Attempt, SecretHolder, SUSPENDED } from '@signalbox/runs';
import { waitsForCallback } from '../../hooks/callback-url.js';
import { Callbacks } from '../../hooks/callbacks.js';
import { Router } from '../../routing/router.js';
import { StateWrites } from '../../sessions/state-writes.repository.js';
import { ChildTasks } from '../children/child-tasks.js';
import { ofTask } from '../model/call-attribution.js';
import { failureOfModel } from '../model/model-failure.js';
import type { AskModel, Fail, Next, RunAction } from '../steps/next.js';
import { TaskSteps } from '../steps/task-steps.js';
import { AnswerStreams } from '../streaming/answer-streams.js';
import type { RunningTask } from './running-task.js';
import type { Recorded } from './task-outcome.js';
import { ACTION_WORK } from './task-work.js';

const ROUTE_MS = 120_000;

/** A step that was made, or the route that the rules have chosen. */
export type MadeStep = Recorded | NonNullable<RunningTask['routing']>;

/** The effects of what a task does next: it asks a model, runs an action, starts a sub-agent, evaluates its rules. */
@Injectable()
export class TaskActs {
  constructor(
    private readonly steps: TaskSteps,
    private readonly secrets: SecretHolder,
    private readonly answers: AnswerStreams,
    private readonly callbacks: Callbacks,
    private readonly children: ChildTasks,
    private readonly states: StateWrites,
    private readonly router: Router,
  ) {}

  /** Makes a step; a failure that ends the task is a result and no error. */
  async make(
    attempt: Attempt<RunningTask>,
    next: Exclude<Next, { kind: 'complete' | 'fail' }>,
  ): Promise<MadeStep | Fail | typeof SUSPENDED> {
    const { job, run: task, secrets, signal } = attempt;
    try {
      switch (next.kind) {
        case 'child':
          return await this.children.make(job, task, next, secrets);
        case 'state':
          return this.states.make(task, next, secrets);
        case 'action':
          return await this.runAction(attempt, next);
        case 'route':
          return await this.route(task, signal);
        case 'model':
          return await this.ask(attempt, next);
      }
    } catch (error) {
      signal.throwIfAborted();
      const failure = next.kind === 'model' || next.kind === 'route' ? failureOfModel(error) : null;
      if (!failure) throw error;
      return { ...failure, message: secrets ? secrets.scrub(failure.message) : failure.message };
    }
  }

  private async ask({ job, run: task, secrets, signal }: Attempt<RunningTask>, next: AskModel): Promise<Recorded> {
    const answer = this.answers.open(job, task, next.step_no);
    try {
      return await this.steps.ask(task, next, secrets, AbortSignal.any([signal, answer.signal]), answer);
    } finally {
      await answer.end();
    }
  }

  private async runAction({ job, run: task, secrets, signal }: Attempt<RunningTask>, next: RunAction) {
    if (next.chosen && next.refusal === undefined && waitsForCallback(next.chosen.action))
      return this.callbacks.make(job, task, next, secrets, signal);
    const made = await this.steps.act(task, next, secrets, signal);
    if (made.step.kind !== 'action' || made.step.status !== 'PENDING') return made;
    return { ...made, backgroundKind: task.has_secrets ? this.secrets.share(task.id, ACTION_WORK) : ACTION_WORK };
  }

  /** Rules may ask the model of the company, so they are evaluated once and the result is kept. */
  private async route(task: RunningTask, signal: AbortSignal) {
    const { input_messages: messages, snapshot, state, metadata } = task;
    const caller = serviceCaller(task.companyId, Date.now() + ROUTE_MS);
    const context = { messages, state, request: { messages, metadata } };
    const decided = this.router.route(snapshot, context, ofTask(task), caller);
    const { matched_rule_id: rule_id, route } = await abortable(decided, signal);
    return { rule_id: rule_id ?? null, route };
  }
}
