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
import { HOOK_EXPIRED, type Outcome, type StepRecord } from './task-outcome.js';

/**
 * Writes of workers about tasks. Every write is one transaction with the fence of the job.
 *
 * SQL: a step's writes carry the fence of the job in one statement each.
 */
@Injectable()
export class TaskProgress {
  constructor(private readonly runs: TaskRuns) {}

  /** Records a step together with the end of the task or the start of the next action. */
  async record(
    job: Job,
    steps: readonly Step[],
    recorded: StepRecord,
    then: Outcome | RunAction | null,
  ): Promise<void> {
    const { step, duration_ms } = recorded;
    await this.runs.writes.fenced(job, job.ref, async (tx, task) => {
      await insertStep(tx, task.id, recorded);
      if (recorded.hooked) await this.runs.hooks.drop(tx, task.id, step.step_no);
      await addUsage(tx, task.id, step, iterationsOf(steps));
      if (recorded.backgroundKind) tx.addWork(recorded.backgroundKind, `${task.id}/${step.step_no}`);
      const answers = then !== null && 'status' in then && then.status === 'COMPLETED';
      const stepRunEvents = recorded.effect ? await recorded.effect(tx, task) : stepEvents(recorded, answers);
      if (then === null) return stepRunEvents;
      return [...stepRunEvents, ...('status' in then ? await endIn(this.runs, tx, task, then) : actionBegins(then))];
    });
    taskSteps.observe({ kind: step.kind, status: step.kind === 'model' ? 'SUCCESS' : step.status }, duration_ms / 1000);
  }

  /** Records the routing decision of a task. */
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

  /** Emits the start of an action that follows no recorded step. */
  async begin(job: Job, next: RunAction): Promise<void> {
    await this.runs.writes.fenced(job, job.ref, () => Promise.resolve(actionBegins(next)));
  }

  /** Ends a task without a step; `before` are the events before the end. */
  async end(job: Job, outcome: Outcome, before: RunEvent[] = []): Promise<void> {
    await this.runs.writes.fenced(job, job.ref, async (tx, task) => [
      ...before,
      ...(await endIn(this.runs, tx, task, outcome)),
    ]);
  }

  /** Ends a task that waits for a callback, and resumes its ancestors. */
  async endWaiting(job: Job, outcome: Outcome): Promise<void> {
    await this.runs.hooks.endWait(job, (tx, task) => endIn(this.runs, tx, task, outcome));
  }

  /** Fails a task that waits on an expired hook; for a hook that has not expired returns the ms until its expiry. */
  expireHook(job: Job): Promise<number | null> {
    return this.runs.hooks.expire(job, (tx, task) => endIn(this.runs, tx, task, HOOK_EXPIRED));
  }

  /** Records the result of a background action, on the timeline and, while it is open, on the stream. */
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
        const result = actionEnds(step, made.chosen.action, durationMs);
        return [taskStates.isTerminal(task.status) ? { timeline: result.timeline } : result];
      },
      { evenEnded: true },
    );
    taskSteps.observe({ kind: 'background', status: step.status }, durationMs / 1000);
  }
}
