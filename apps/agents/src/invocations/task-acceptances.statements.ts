import { invalidField, type Message } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import type { ColumnValues } from '@signalbox/runs';
import { sessionHistory } from '../tasks/index.js';
import type { NewTask } from './new-task.js';

const MAX_STATE = 65_536;

/** The locked session of a new task. */
interface OpenSession {
  /** Its internal id. */
  id: number;
  isNew: boolean;
}

/** Creates or locks the session of a new task and sets its state. */
export async function openSession(tx: Tx, { agent_id, session_id, state }: NewTask): Promise<OpenSession> {
  const [session] = await tx.query<{ id: number; size: number; is_new: boolean }>(
    `INSERT INTO agents.sessions AS t (company_id, agent_id, session_id, state) VALUES ($1, $2, $3, $4::jsonb || $5::jsonb)
     ON CONFLICT (company_id, agent_id, session_id) WHERE deleted_at IS NULL
       DO UPDATE SET last_activity = EXCLUDED.last_activity, state = $4::jsonb || t.state || $5::jsonb
     RETURNING id, octet_length(state::text) AS size, t.xmax = 0 AS is_new`,
    [tx.companyId, agent_id, session_id, JSON.stringify(state.initial), JSON.stringify(state.given)],
  );
  if ((session?.size ?? 0) > MAX_STATE)
    throw invalidField('state', 'makes the state of the session larger than 64 KiB');
  return { id: session?.id ?? 0, isNew: session?.is_new ?? false };
}

/**
 * The history of a new task that may start with its acceptance, null while an earlier task of its session is open. The
 * session is locked, so that of several new tasks only the first one finds it without an open task.
 */
export async function historyAtAcceptance(tx: Tx, task: NewTask, session: OpenSession): Promise<Message[] | null> {
  if (session.isNew) return [];
  if (task.parent === null && (await hasOpenTask(tx, session.id, task.depth))) return null;
  return sessionHistory(tx, { ...task, session_no: session.id });
}

async function hasOpenTask(tx: Tx, sessionNo: number, depth: number): Promise<boolean> {
  const open = await tx.query(
    `SELECT 1 AS open FROM agents.tasks WHERE company_id = $1 AND session_no = $2 AND depth >= $3
       AND parent_task_id IS NULL AND completed_at IS NULL LIMIT 1`,
    [tx.companyId, sessionNo, depth],
  );
  return open.length > 0;
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
  root_id: task.root_id,
  called_by: task.called_by,
  depth: task.depth,
  ends_by: task.ends_by,
});
