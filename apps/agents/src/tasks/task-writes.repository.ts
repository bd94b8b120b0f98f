import { Injectable } from '@nestjs/common';
import { Database, type Owner, type Tx } from '@signalbox/database';
import { type Job, taskSteps } from '@signalbox/platform';
import { NOW, type RunEvent } from '@signalbox/runs';
import { endIn } from './loop/task-end.js';
import type { LockedTask, RunningTask, StartedTask } from './loop/running-task.js';
import { HOOK_EXPIRED, type Outcome, type StepRecord } from './loop/task-outcome.js';
import type { ActionStep, Step } from './model/conversation.js';
import type { RunAction } from './steps/next.js';
import { iterationsOf } from './steps/next-step.js';
import { actionBegins, actionEnds, stateUpdated, stepEvents, taskStarted } from './steps/step-events.js';
import type { Accepted, NewTask } from './submission/new-task.js';
import { taskStates } from './task.js';
import { TaskRuns } from './task-runs.repository.js';
import {
  addUsage,
  insertStep,
  openSession,
  queuedMs,
  sessionHistory,
  STARTED,
  taskValues,
} from './task-writes.statements.js';

/**
 * The writes of tasks. An acceptance commits session, row, event and work together; every write of a worker is one
 * transaction with the fence of its job.
 *
 * SQL: the session is created or merged by one upsert that also locks it; a step's writes carry the fence of the job.
 */
@Injectable()
export class TaskWrites {
  constructor(
    private readonly db: Database,
    private readonly runs: TaskRuns,
  ) {}

  accept(owner: Owner, task: NewTask, workKind: string): Promise<Accepted> {
    // The idempotency record keeps what the transaction returns.
    return this.db.withCompany(owner, async (tx) => {
      await this.acceptIn(tx, task, workKind);
      return { task_id: task.id, session_id: task.session_id, status: 'QUEUED' };
    });
  }

  /** Accepts a task within a transaction. */
  async acceptIn(tx: Tx, task: NewTask, workKind: string): Promise<void> {
    const values = taskValues(task, await openSession(tx, task));
    const { given } = task.state;
    // The state of the call is set before any worker reads the task.
    const happened = Object.keys(given).length === 0 ? [] : [stateUpdated(given)];
    await this.runs.writes.accept(tx, { id: task.id, values, workKind }, happened);
  }

  /**
   * Moves a task, as it was loaded, from QUEUED to RUNNING and stores the history of its session with it. While an
   * earlier task of the session is open, returns the milliseconds for which the task may still be queued.
   */
  async start(job: Job, queued: RunningTask, queueMs: number): Promise<RunningTask | number> {
    let started: RunningTask | number = queueMs;
    await this.runs.writes.fenced(job, job.ref, async (tx, task) => {
      const leftMs = await queuedMs(tx, task, queueMs);
      if (leftMs !== null) started = leftMs;
      else started = await this.startIn(tx, task, queued);
      return [];
    });
    return started;
  }

  /** The session may have changed since the load, by the task before, so its state is read with the change. */
  private async startIn(tx: Tx, task: LockedTask, queued: RunningTask): Promise<RunningTask> {
    // A chat completion contains the whole conversation.
    const history = queued.trigger === 'CHAT' ? [] : await sessionHistory(tx, task);
    const { status, view } = await this.runs.writes.move(
      tx,
      task,
      'start',
      { started_at: NOW, active_since: NOW, history: JSON.stringify(history) },
      { log: taskStarted(queued), view: STARTED },
    );
    const read = JSON.parse(view ?? '{}') as StartedTask;
    return { ...queued, ...read, status, history, worked_ms: 0, loaded_at: performance.now() };
  }

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
      await addUsage(tx, task.id, step, step.kind === 'model' ? iterationsOf(steps) : null);
      if (recorded.backgroundKind) tx.addWork(recorded.backgroundKind, `${task.id}/${step.step_no}`);
      const answers = then !== null && 'status' in then && then.status === 'COMPLETED';
      const stepRunEvents = recorded.effect ? await recorded.effect(tx) : stepEvents(recorded, answers);
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
