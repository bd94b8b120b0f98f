import { Injectable } from '@nestjs/common';
import { invalidField, type Message, type ResponseFormat } from '@signalbox/contracts';
import { Database, type Owner, type Tx } from '@signalbox/database';
import type { ColumnValues } from '@signalbox/runs';
import type { AgentSnapshot } from '../../agents/agent-snapshot.js';
import { stateUpdated } from '../steps/step-events.js';
import { TaskRuns } from '../task-runs.repository.js';

/** The values of a new task, without secrets. */
export interface NewTask {
  id: string;
  trigger: string;
  parent: { id: string; step: number; depth: number } | null;
  agent_id: number;
  application_id: number | null;
  session_id: string;
  version: string | null;
  release: string | null;
  snapshot: AgentSnapshot;
  input_messages: Message[];
  response_format: ResponseFormat | null;
  max_iterations: number;
  max_cost: number | null;
  has_secrets: boolean;
  metadata: Record<string, unknown>;
  /** The initial state of a new session, and the values that are set in any session. */
  state: { initial: Record<string, unknown>; given: Record<string, unknown> };
}

/** The ids of an accepted task. */
export interface Accepted {
  task_id: string;
  session_id: string;
  status: 'QUEUED';
}

/**
 * Accepts tasks: session, row, event and work commit together.
 *
 * SQL: the session is created or merged by one upsert that also locks it.
 */
@Injectable()
export class TaskAcceptance {
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
    const values = valuesOf(task, await openSession(tx, task));
    const { given } = task.state;
    // The state of the call is set before any worker reads the task.
    const happened = Object.keys(given).length === 0 ? [] : [stateUpdated(given)];
    await this.runs.writes.accept(tx, { id: task.id, values, workKind }, happened);
  }
}

const MAX_STATE = 65_536;

async function openSession(tx: Tx, { agent_id, session_id, state }: NewTask): Promise<number> {
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

const valuesOf = (task: NewTask, session_no: number): ColumnValues => ({
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
