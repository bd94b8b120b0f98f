import { Injectable } from '@nestjs/common';
import { type Job, taskSteps } from '@signalbox/platform';
import type { RunEvent } from '@signalbox/runs';
import type { ActionStep, Step } from '../model/conversation.js';
import { actionBegins, actionEnds, stepEvents } from '../steps/step-events.js';
import type { RunAction } from '../steps/next.js';
import { iterationsOf } from '../steps/next-step.js';
import { addUsage, insertStep } from '../steps/step-rows.repository.js';
import { taskStates } from '../task.js';
import { TaskRuns } from '../task-runs.repository.js';
import type { RunningTask } from './running-task.js';
import { endIn } from './task-end.repository.js';
import { HOOK_EXPIRED, type Outcome, type Recorded } from './task-outcome.js';

/** What workers write about tasks. Every write is one transaction that carries the fence of the job. */
@Injectable()
export class TaskProgress {
  constructor(private readonly runs: TaskRuns) {}

  /** Records a step, and with it the end of the task or the beginning of the next action. */
  async record(job: Job, steps: readonly Step[], recorded: Recorded, then: Outcome | RunAction | null): Promise<void> {
    const { step, duration_ms } = recorded;
    await this.runs.writes.fenced(job, job.ref, async (tx, task) => {
      await insertStep(tx, task.id, recorded);
      if (recorded.hooked) await this.runs.hooks.drop(tx, task.id, step.step_no);
      await addUsage(tx, task.id, step, iterationsOf(steps));
      if (recorded.backgroundKind) tx.addWork(recorded.backgroundKind, `${task.id}/${step.step_no}`);
      const answers = then !== null && 'status' in then && then.status === 'COMPLETED';
      const told = recorded.effect ? await recorded.effect(tx, task) : stepEvents(recorded, answers);
      if (then === null) return told;
      return [...told, ...('status' in then ? await endIn(this.runs, tx, task, then) : actionBegins(then))];
    });
    taskSteps.observe({ kind: step.kind, status: step.kind === 'model' ? 'SUCCESS' : step.status }, duration_ms / 1000);
  }

  /** Notes where the rules have sent a task. */
  async decide(job: Job, routing: NonNullable<RunningTask['routing']>): Promise<void> {
    await this.runs.writes.fenced(job, job.ref, async (tx, task) => {
      await tx.query('UPDATE agents.tasks SET routing = $3 WHERE company_id = $1 AND id = $2', [
        tx.companyId,
        task.id,
        JSON.stringify(routing),
      ]);
      const { rule_id, route } = routing;
      const data = { ...(rule_id === null ? {} : { rule_id }), route };
      return [{ event: { type: 'routing.decided', data }, timeline: { type: 'routing', data } }];
    });
  }

  /** Tells of an action that no recorded step has led to. */
  async begin(job: Job, next: RunAction): Promise<void> {
    await this.runs.writes.fenced(job, job.ref, () => Promise.resolve(actionBegins(next)));
  }

  /** Ends a task that no step ends; `before` are the events that led to it. */
  async end(job: Job, outcome: Outcome, before: RunEvent[] = []): Promise<void> {
    await this.runs.writes.fenced(job, job.ref, async (tx, task) => [
      ...before,
      ...(await endIn(this.runs, tx, task, outcome)),
    ]);
  }

  /** Ends a task that waits for a callback, and the wait of the tasks above it. */
  async endWaiting(job: Job, outcome: Outcome): Promise<void> {
    await this.runs.hooks.endWait(job, (tx, task) => endIn(this.runs, tx, task, outcome));
  }

  /** Fails a task that still waits on a hook which has expired; returns how many ms are left of one that has not. */
  expireHook(job: Job): Promise<number | null> {
    return this.runs.hooks.expire(job, (tx, task) => endIn(this.runs, tx, task, HOOK_EXPIRED));
  }

  /** The result of a background action; the stream hears of it while it is open, the timeline always. */
  async recordBackground(
    job: Job,
    taskId: string,
    step: ActionStep,
    made: RunAction,
    durationMs: number,
  ): Promise<void> {
    await this.runs.writes.fenced(
      job,
      taskId,
      async (tx, task) => {
        const written = await tx.query(
          `UPDATE agents.task_steps SET status = $4, result = $5, duration_ms = $6
           WHERE company_id = $1 AND task_id = $2 AND step_no = $3 AND status = 'PENDING' RETURNING 1 AS done`,
          [tx.companyId, taskId, step.step_no, step.status, JSON.stringify(step), durationMs],
        );
        if (written.length === 0 || !made.chosen) return [];
        await addUsage(tx, taskId, step, null);
        const told = actionEnds(step, made.chosen.action, durationMs);
        return [taskStates.isTerminal(task.status) ? { timeline: told.timeline } : told];
      },
      true,
    );
    taskSteps.observe({ kind: 'background', status: step.status }, durationMs / 1000);
  }
}
