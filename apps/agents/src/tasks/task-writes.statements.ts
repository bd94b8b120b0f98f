import { invalidField, type Message } from '@signalbox/contracts';
import { NOW_MS, type Tx } from '@signalbox/database';
import type { ColumnValues } from '@signalbox/runs';
import type { LockedTask } from './loop/running-task.js';
import type { StepRecord } from './loop/task-outcome.js';
import { historyOf, type Step } from './model/conversation.js';
import type { NewTask } from './submission/new-task.js';
import { SESSION_STATES } from './task.view.js';

const MAX_STATE = 65_536;

/** Creates or locks the session of a new task and sets its state; returns its internal id. */
export async function openSession(tx: Tx, { agent_id, session_id, state }: NewTask): Promise<number> {
  const [session] = await tx.query<{ id: number; size: number }>(
    `INSERT INTO agents.sessions AS t (company_id, agent_id, session_id, state) VALUES ($1, $2, $3, $4::jsonb || $5::jsonb)
     ON CONFLICT (company_id, agent_id, session_id) WHERE deleted_at IS NULL
       DO UPDATE SET last_activity = EXCLUDED.last_activity, state = $4::jsonb || t.state || $5::jsonb
     RETURNING id, octet_length(state::text) AS size`,
    [tx.companyId, agent_id, session_id, JSON.stringify(state.initial), JSON.stringify(state.given)],
  );
  if ((session?.size ?? 0) > MAX_STATE)
    throw invalidField('state', 'makes the state of the session larger than 64 KiB');
  return session?.id ?? 0;
}

/** The row of a new task. */
export const taskValues = (task: NewTask, session_no: number): ColumnValues => ({
  agent_id: task.agent_id,
  session_no,
  session_id: task.session_id,
  status: 'QUEUED',
  version: task.version,
  release: task.release,
  application_id: task.application_id,
  snapshot: JSON.stringify(task.snapshot),
  input_messages: JSON.stringify(task.input_messages),
  response_format: task.response_format ? JSON.stringify(task.response_format) : null,
  max_iterations: task.max_iterations,
  max_cost: task.max_cost,
  has_secrets: task.has_secrets,
  trigger: task.trigger,
  metadata: JSON.stringify(task.metadata),
  parent_task_id: task.parent?.id ?? null,
  parent_step: task.parent?.step ?? null,
  depth: task.parent?.depth ?? 0,
});

/**
 * The milliseconds for which a task may still be queued while an earlier task of its session is open; null when none
 * is. The task of a sub-agent runs within that of its parent.
 */
export async function queuedMs(tx: Tx, task: LockedTask, queueMs: number): Promise<number | null> {
  if (task.parent_task_id !== null) return null;
  const [earlier] = await tx.query<{ left_ms: number }>(
    `SELECT t.date_created + $3::bigint - ${NOW_MS} AS left_ms FROM agents.tasks t
       WHERE t.company_id = $1 AND t.id = $2 AND EXISTS (
         SELECT 1 FROM agents.tasks e WHERE e.company_id = $1 AND e.session_no = t.session_no AND e.no < t.no
           AND e.parent_task_id IS NULL AND e.completed_at IS NULL)`,
    [tx.companyId, task.id, queueMs],
  );
  return earlier?.left_ms ?? null;
}

/** What a worker reads of a task `t` that it starts. */
export const STARTED = `json_build_object('started_at', t.started_at, 'active_since', t.active_since,
  'state', ${SESSION_STATES.state}, 'parent', ${SESSION_STATES.parent})`;

const EARLIER_TASKS = 20;
/**
 * Earlier tasks with more bytes of input are left out of the history, so that a session does not grow without limit.
 */
const MAX_REMEMBERED = 262_144;

/** The messages of the completed tasks of a session before a task. */
export async function sessionHistory(tx: Tx, task: LockedTask): Promise<Message[]> {
  const rows = await tx.query<{ input_messages: Message[]; output: Message | null }>(
    `SELECT t.input_messages, t.output FROM agents.tasks t
       WHERE t.company_id = $1 AND t.session_no = $2 AND t.status = 'COMPLETED' AND t.id <> $3
         AND pg_column_size(t.input_messages) < ${MAX_REMEMBERED} ORDER BY t.no DESC LIMIT $4`,
    [tx.companyId, task.session_no, task.id, EARLIER_TASKS],
  );
  return historyOf(rows.reverse());
}

/** Records a step. */
export async function insertStep(tx: Tx, taskId: string, { step, request, duration_ms }: StepRecord): Promise<void> {
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

/** Adds the usage of a step to its task; most actions have none. */
export async function addUsage(tx: Tx, taskId: string, { usage }: Step, iterations: number | null): Promise<void> {
  if (!usage && iterations === null) return;
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
