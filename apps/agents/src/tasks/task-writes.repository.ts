import { Injectable } from '@nestjs/common';
import { addUsage, type Usage } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { appliedOnce, NOW, retriedPart, type RunEvent, type StatementPart } from '@signalbox/runs';
import { type EndedTask, endIn, withoutStep } from './execution/task-end.js';
import { type LockedTask, type RunningTask, type StartedTask } from './execution/running-task.js';
import { HOOK_EXPIRED, type Outcome, type StepRecord } from './execution/task-outcome.js';
import type { ActionStep, Step } from './model/conversation.js';
import { taskSteps } from './step-metrics.js';
import type { RunAction } from './steps/next.js';
import { iterationsOf } from './steps/next-step.js';
import { actionBegins, actionEnds, stepEvents, taskStarted } from './steps/step-events.js';
import { StartedTasks } from './started-tasks.js';
import { taskStates } from './task.js';
import { TaskRuns } from './task-runs.repository.js';
import { queuedMs, sessionHistory } from './task-starts.repository.js';
import { ADD_USAGE_ABOVE, END_STEP, STORE_CALLING_STEP, STORE_ROUTING, INSERT_STEP } from './task-writes.sql.js';
import { STARTED } from './task-starts.sql.js';

/**
 * Each write is one transaction with the fence of its job.
 *
 * SQL: a step and what it changes of its task are one statement.
 */
@Injectable()
export class TaskWrites {
  constructor(
    private readonly runs: TaskRuns,
    private readonly started: StartedTasks,
  ) {}

  /**
   * Moves a task from QUEUED to RUNNING and stores the history of its session. While an earlier task of the session is
   * open, returns how long the task may still be queued, in ms.
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

  /** The state is read with the change, because the task before may have changed it since the load. */
  private async startIn(tx: Tx, task: LockedTask, queued: RunningTask): Promise<RunningTask> {
    const history = await sessionHistory(tx, { ...queued, session_no: task.session_no });
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

  async record(
    job: Job,
    steps: readonly Step[],
    recorded: StepRecord,
    then: Outcome | RunAction | null,
  ): Promise<void> {
    const { step, duration_ms } = recorded;
    const outcome = then !== null && 'status' in then ? then : null;
    await this.ending(job, async (tx, task) => {
      if (recorded.hooked) await this.runs.hooks.drop(tx, task.id, step.step_no);
      if (recorded.backgroundKind) tx.addWork(recorded.backgroundKind, `${task.id}/${step.step_no}`);
      const stepLog = recorded.effect
        ? await recorded.effect(tx)
        : stepEvents(recorded, outcome?.status === 'COMPLETED');
      const log = then !== null && !('status' in then) ? [...stepLog, ...actionBegins(then)] : stepLog;
      const usage = usageWith(task, step);
      const iterations = step.kind === 'model' ? { iterations: iterationsOf(steps) } : {};
      const values = { ...(step.usage ? usage : {}), ...iterations };
      const parts = [stepRow(recorded)];
      if (outcome) return endIn(this.runs, tx, task, outcome, { log, values, parts, usage });
      await this.runs.writes.change(tx, task, log, { values, parts });
      return null;
    });
    taskSteps.observe({ kind: step.kind, status: step.kind === 'model' ? 'SUCCESS' : step.status }, duration_ms / 1000);
  }

  async decide(job: Job, routing: NonNullable<RunningTask['routing']>): Promise<void> {
    await this.runs.writes.fenced(job, job.ref, async (tx, task) => {
      const stored = await tx.query(STORE_ROUTING, [tx.companyId, task.id, JSON.stringify(routing)]);
      // A repeat after a commit whose reply was lost.
      if (stored.length === 0) return [];
      const { rule_id, route } = routing;
      const data = { ...(rule_id === null ? {} : { rule_id }), route };
      return [{ event: { type: 'routing.decided', data }, timeline: { type: 'routing', data } }];
    });
  }

  /** Counts what routing has cost, also when the task was cancelled meanwhile; returns the sum of the task. */
  async spend(job: Job, usage: Usage, signal: AbortSignal): Promise<Usage> {
    let sum = usage;
    const { writes } = this.runs;
    const change = appliedOnce<LockedTask>(async (tx, task) => {
      sum = usageWith(task, { usage });
      if (taskStates.isTerminal(task.status)) await addUsageAbove(tx, task.id, usage);
      await writes.change(tx, task, [], { values: { ...sum } });
      return [];
    });
    const options = { job, evenEnded: true };
    await retriedPart(signal, () => writes.withAncestors(job.companyId, job.ref, change, options));
    return sum;
  }

  async begin(job: Job, next: RunAction): Promise<void> {
    await this.runs.writes.fenced(job, job.ref, () => Promise.resolve(actionBegins(next)));
  }

  /** Before a call that may not be repeated: a worker that continues the task learns of it. */
  async beginCall(job: Job, step: number): Promise<void> {
    await this.runs.writes.fenced(job, job.ref, async (tx, task) => {
      await tx.query(STORE_CALLING_STEP, [tx.companyId, task.id, step]);
      return [];
    });
  }

  async end(job: Job, outcome: Outcome, before: RunEvent[] = []): Promise<void> {
    await this.ending(job, (tx, task) => endIn(this.runs, tx, task, outcome, withoutStep(task, before)));
  }

  /** May end the task; the end is passed to the caller that waits for it in this process. */
  private async ending(job: Job, change: (tx: Tx, task: LockedTask) => Promise<EndedTask | null>): Promise<void> {
    let ended: EndedTask | null = null;
    const write = async (tx: Tx, task: LockedTask): Promise<RunEvent[]> => {
      ended = await change(tx, task);
      return [];
    };
    const committed = (): void => (ended ? this.started.replyOf(job.ref)?.ended(ended) : undefined);
    await this.runs.writes.fenced(job, job.ref, write, { committed });
  }

  async endWaiting(job: Job, outcome: Outcome): Promise<void> {
    await this.runs.hooks.endWait(job, (tx, task) => this.endWaitingIn(tx, task, outcome));
  }

  /** For a hook that cannot expire yet, returns the ms until the next check. */
  expireHook(job: Job): Promise<number | null> {
    return this.runs.hooks.expire(job, (tx, task) => this.endWaitingIn(tx, task, HOOK_EXPIRED));
  }

  private async endWaitingIn(tx: Tx, task: LockedTask, outcome: Outcome): Promise<RunEvent[]> {
    await endIn(this.runs, tx, task, outcome);
    return [];
  }

  /** On the timeline and, while the task is open, on the stream; its usage counts for the tasks above as well. */
  async recordBackground(
    job: Job,
    taskId: string,
    step: ActionStep,
    call: RunAction,
    durationMs: number,
  ): Promise<void> {
    await this.runs.writes.withAncestors(
      job.companyId,
      taskId,
      async (tx, task) => {
        const written = await tx.query(END_STEP, [
          tx.companyId,
          taskId,
          step.step_no,
          step.status,
          JSON.stringify(step),
          durationMs,
        ]);
        if (written.length === 0 || !call.chosen) return [];
        const result = actionEnds(step, call.chosen.action, durationMs);
        const isEnded = taskStates.isTerminal(task.status);
        const log = [isEnded ? { timeline: result.timeline } : result];
        if (isEnded && step.usage) await addUsageAbove(tx, taskId, step.usage);
        await this.runs.writes.change(tx, task, log, { values: step.usage ? { ...usageWith(task, step) } : {} });
        return [];
      },
      { job, evenEnded: true },
    );
    taskSteps.observe({ kind: 'background', status: step.status }, durationMs / 1000);
  }
}

const stepRow = ({ step, request, duration_ms }: StepRecord): StatementPart => ({
  sql: (at) => INSERT_STEP(at).text,
  values: [
    step.step_no,
    step.kind,
    step.kind === 'model' ? 'SUCCESS' : step.status,
    JSON.stringify(request),
    JSON.stringify(step),
    duration_ms,
  ],
});

const usageWith = ({ usage: before }: LockedTask, { usage }: Pick<Step, 'usage'>): Usage =>
  usage ? addUsage(before, usage) : before;

async function addUsageAbove(tx: Tx, taskId: string, usage: Usage): Promise<void> {
  const { prompt_tokens, completion_tokens, total_tokens, cost } = usage;
  await tx.query(ADD_USAGE_ABOVE, [tx.companyId, taskId, prompt_tokens, completion_tokens, total_tokens, cost]);
}
