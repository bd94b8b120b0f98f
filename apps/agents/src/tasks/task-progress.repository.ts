import { Injectable } from '@nestjs/common';
import type { ErrorCode, FailureClass, Invocation, Message } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import { type Job, tasksEnded, taskSteps } from '@signalbox/platform';
import { type ActionStep, historyOf, type Step } from './conversation.js';
import { actionBegins, actionEnds, type Happening, stepTells } from './happenings.js';
import { invocationOf } from './invocation.js';
import type { RunAction } from './next.js';
import { iterationsOf } from './next-step.js';
import type { RunningTask } from './running-task.js';
import { isTerminal, move } from './task.js';
import { type LoggedTask, taskEmission } from './task-log.repository.js';
import { wakeParent } from './task-family.repository.js';
import { TASK_COLUMNS, TaskOver, TaskWrites } from './task-writes.repository.js';

/** The answer of a task. */
export interface Answered {
  status: 'COMPLETED';
  output: Message;
  structured_output: unknown;
  model: string;
}
/** Why a task has none. */
export interface Failed {
  status: 'FAILED';
  failure_class: FailureClass;
  error_code: ErrorCode;
  error_message: string;
}
/** How a task ends. */
export type Outcome = Answered | Failed;

/** A step with what is stored of it beside its result. */
export interface Recorded {
  step: Step;
  request: Record<string, unknown>;
  duration_ms: number;
  /** The call the step answers, for an action. */
  made: RunAction | null;
  /** Kind of the work that a background action becomes. */
  backgroundKind?: string;
  /** The step had a hook: nobody may call it back any more. */
  hooked?: boolean;
  /** What else commits with the step; answers what it tells. */
  effect?: (tx: Tx, task: RunningTask) => Promise<Happening[]>;
}

const EARLIER_TASKS = 20;
/** Bytes of input above which an earlier task is not remembered: a session must not grow without end. */
const MAX_REMEMBERED = 262_144;

/** What workers write about tasks. Every write is one transaction that carries the fence of the job. */
@Injectable()
export class TaskProgress {
  constructor(
    private readonly db: Database,
    private readonly writes: TaskWrites,
  ) {}

  /** A task with its recorded steps, null when it does not exist. */
  async load(companyId: number, id: string): Promise<RunningTask | null> {
    const [task] = await this.db.select<RunningTask & { steps: StoredStep[] }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT ${TASK_COLUMNS},
         (SELECT COALESCE(json_agg(json_build_object('kind', p.kind, 'step_no', p.step_no, 'status', p.status, 'result', p.result)
            ORDER BY p.step_no), '[]'::json)
          FROM agents.task_steps p WHERE p.company_id = s.company AND p.task_id = t.id) AS steps,
         (SELECT e.state FROM agents.sessions e WHERE e.company_id = s.company AND e.id = t.session_no) AS state,
         (SELECT json_build_object('session_no', e.id, 'state', e.state, 'fields', o.snapshot->'form_fields')
          FROM agents.tasks o JOIN agents.sessions e ON e.company_id = s.company AND e.id = o.session_no
          WHERE o.company_id = s.company AND o.id = t.parent_task_id) AS parent
       FROM agents.tasks t WHERE t.company_id = s.company AND t.id = $2 OFFSET 0) x`,
      [id],
    );
    return task ? { ...task, companyId, steps: task.steps.map(readStep) } : null;
  }

  /** QUEUED becomes RUNNING; what the task remembers of its session is frozen with it. */
  async start(job: Job): Promise<RunningTask> {
    await this.writes.fenced(job, job.ref, async (tx, task) => {
      const status = move(task, 'start');
      const history = await this.earlier(tx, task);
      await tx.query(
        `UPDATE agents.tasks SET status = $3, started_at = $4, active_since = $4, history = $5 WHERE company_id = $1 AND id = $2`,
        [tx.companyId, task.id, status, Date.now(), JSON.stringify(history)],
      );
      tx.emit(taskEmission('agent_task.started', { ...task, status }));
      const { agent_id, session_id, version } = task;
      const started = { type: 'task.started', data: { agent_id, session_id, ...(version ? { version } : {}) } };
      const asked = task.input_messages.map(({ role, content }) => ({
        timeline: { type: 'message', data: { role, content: content ?? null } },
      }));
      return [{ event: started, timeline: { type: 'task_start', data: { status } } }, ...asked];
    });
    const task = await this.load(job.companyId, job.ref);
    if (!task) throw new TaskOver();
    return task;
  }

  private async earlier(tx: Tx, task: LoggedTask): Promise<Message[]> {
    const rows = await tx.query<{ input_messages: Message[]; output: Message | null }>(
      `SELECT t.input_messages, t.output FROM agents.tasks t
       WHERE t.company_id = $1 AND t.session_no = $2 AND t.status = 'COMPLETED' AND t.id <> $3
         AND pg_column_size(t.input_messages) < ${MAX_REMEMBERED} ORDER BY t.no DESC LIMIT $4`,
      [tx.companyId, task.session_no, task.id, EARLIER_TASKS],
    );
    return historyOf(rows.reverse());
  }

  /** Records a step, and with it the end of the task or the beginning of the next action. */
  async record(job: Job, steps: readonly Step[], recorded: Recorded, then: Outcome | RunAction | null): Promise<void> {
    const { step, made, duration_ms } = recorded;
    await this.writes.fenced(job, job.ref, async (tx, task) => {
      await insertStep(tx, task.id, recorded);
      if (recorded.hooked) await dropHooks(tx, task.id, step.step_no);
      await addUsage(tx, task.id, step, iterationsOf(steps));
      if (recorded.backgroundKind) tx.addWork(recorded.backgroundKind, `${task.id}/${step.step_no}`);
      const told = recorded.effect ? await recorded.effect(tx, task) : stepTells(step, made, duration_ms);
      if (then === null) return told;
      return [...told, ...('status' in then ? await this.endIn(tx, task, then) : actionBegins(then))];
    });
    taskSteps.observe({ kind: step.kind, status: step.kind === 'model' ? 'SUCCESS' : step.status }, duration_ms / 1000);
  }

  /** Notes where the rules have sent a task. */
  async decide(job: Job, routing: NonNullable<RunningTask['routing']>): Promise<void> {
    await this.writes.fenced(job, job.ref, async (tx, task) => {
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
    await this.writes.fenced(job, job.ref, () => Promise.resolve(actionBegins(next)));
  }

  /** Ends a task that no step ends. */
  async end(job: Job, outcome: Outcome): Promise<void> {
    await this.writes.fenced(job, job.ref, (tx, task) => this.endIn(tx, task, outcome));
  }

  /** Ends a task within a transaction that has locked it. */
  async endIn(tx: Tx, task: RunningTask, outcome: Outcome): Promise<Happening[]> {
    const status = move(task, outcome.status === 'COMPLETED' ? 'complete' : 'fail');
    const failed = outcome.status === 'FAILED' ? outcome : null;
    const answered = outcome.status === 'COMPLETED' ? outcome : null;
    const [row] = await tx.query<Parameters<typeof invocationOf>[0]>(
      `UPDATE agents.tasks t SET status = $3, completed_at = $4, output = $5, structured_output = $6, model = $7,
         failure_class = $8, error_code = $9, error_message = $10
       WHERE t.company_id = $1 AND t.id = $2
       RETURNING t.*, json_build_object('prompt_tokens', t.prompt_tokens, 'completion_tokens', t.completion_tokens,
         'total_tokens', t.total_tokens, 'cost', t.cost) AS usage`,
      [
        tx.companyId,
        task.id,
        status,
        Date.now(),
        answered ? JSON.stringify(answered.output) : null,
        answered ? JSON.stringify(answered.structured_output ?? null) : null,
        answered?.model ?? null,
        failed?.failure_class ?? null,
        failed?.error_code ?? null,
        failed?.error_message.slice(0, 4000) ?? null,
      ],
    );
    await wakeParent(tx, task.parent_task_id);
    tasksEnded.inc({ status, failure_class: failed?.failure_class ?? 'none' });
    if (failed) return this.tellFailed(tx, task, failed);
    tx.emit(taskEmission('agent_task.completed', { ...task, status }));
    const result: Invocation = row ? invocationOf(row) : { task_id: task.id, session_id: task.session_id };
    return [
      { event: { type: 'message.delta', data: { content: answered?.output.content ?? '' } } },
      { event: { type: 'task.completed', data: { result } }, timeline: { type: 'task_end', data: { status } } },
    ];
  }

  private tellFailed(tx: Tx, task: RunningTask, failed: Failed): Happening[] {
    const { failure_class, error_code, error_message: message } = failed;
    tx.emit(taskEmission('agent_task.failed', { ...task, status: 'FAILED' }, { failure_class, error_code }));
    return [
      {
        event: { type: 'task.failed', data: { failure_class, error_code, message } },
        timeline: { type: 'error', data: { message, failure_class } },
      },
      { timeline: { type: 'task_end', data: { status: 'FAILED' } } },
    ];
  }

  /** The result of a background action; the stream hears of it while it is open, the timeline always. */
  async recordBackground(
    job: Job,
    taskId: string,
    step: ActionStep,
    made: RunAction,
    durationMs: number,
  ): Promise<void> {
    await this.writes.fenced(
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
        return [isTerminal(task.status) ? { timeline: told.timeline } : told];
      },
      true,
    );
    taskSteps.observe({ kind: 'background', status: step.status }, durationMs / 1000);
  }
}

interface StoredStep {
  kind: Step['kind'];
  step_no: number;
  status: ActionStep['status'];
  result: Step;
}

/** A stored result is the step itself; its status is a column because a background action changes it. */
const readStep = ({ result, status }: StoredStep): Step => (result.kind === 'action' ? { ...result, status } : result);

async function insertStep(tx: Tx, taskId: string, { step, request, duration_ms }: Recorded): Promise<void> {
  await tx.query(
    `INSERT INTO agents.task_steps (company_id, task_id, step_no, kind, status, request, result, duration_ms)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      tx.companyId,
      taskId,
      step.step_no,
      step.kind,
      step.kind === 'model' ? 'SUCCESS' : step.status,
      JSON.stringify(request),
      JSON.stringify(step),
      duration_ms,
    ],
  );
}

async function dropHooks(tx: Tx, taskId: string, stepNo: number): Promise<void> {
  const which = [tx.companyId, taskId, stepNo];
  await tx.query('DELETE FROM agents.task_hooks WHERE company_id = $1 AND task_id = $2 AND step_no = $3', which);
}

async function addUsage(tx: Tx, taskId: string, { usage }: Step, iterations: number | null): Promise<void> {
  await tx.query(
    `UPDATE agents.tasks SET prompt_tokens = prompt_tokens + $3, completion_tokens = completion_tokens + $4,
       total_tokens = total_tokens + $5,
       cost = CASE WHEN $6::double precision IS NULL THEN cost ELSE COALESCE(cost, 0) + $6::double precision END,
       iterations = COALESCE($7::int, iterations)
     WHERE company_id = $1 AND id = $2`,
    [
      tx.companyId,
      taskId,
      usage?.prompt_tokens ?? 0,
      usage?.completion_tokens ?? 0,
      usage?.total_tokens ?? 0,
      usage?.cost ?? null,
      iterations,
    ],
  );
}
