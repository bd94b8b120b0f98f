import { Injectable } from '@nestjs/common';
import { type Caller, invalidField, type Message, type ResponseFormat, type StreamEvent } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import type { AgentSnapshot } from '../../agents/agent-snapshot.js';
import { stateUpdated } from '../steps/step-events.js';
import { TASK_RECORD, taskEmission, type TaskRecord, type EmittedTask, writeLog } from '../task-log.repository.js';

/** What a new task is made from; everything in it is free of secrets. */
export interface NewTask {
  id: string;
  trigger: EmittedTask['trigger'];
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
  /** What the session begins with when it is new, and what is set in it whether it is or not. */
  state: { initial: Record<string, unknown>; given: Record<string, unknown> };
}

/** The ids of an accepted task. */
export interface Accepted {
  task_id: string;
  session_id: string;
  status: 'QUEUED';
}

/** Accepts tasks: session, row, event and work commit together. */
@Injectable()
export class TaskAcceptance {
  constructor(private readonly db: Database) {}

  accept(caller: Caller, task: NewTask, workKind: string): Promise<Accepted> {
    return this.db.withCompany(caller, async (tx) => {
      await acceptIn(tx, task, workKind);
      return { task_id: task.id, session_id: task.session_id, status: 'QUEUED' };
    });
  }

  /** The task that a call has started under this id, null when there is none. */
  async findAccepted(companyId: number, id: string): Promise<Accepted | null> {
    const [task] = await this.db.select<{ id: string; session_id: string }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.id, t.session_id FROM agents.tasks t
         WHERE t.company_id = s.company AND t.id = $2 OFFSET 0) x`,
      [id],
    );
    return task ? { task_id: task.id, session_id: task.session_id, status: 'QUEUED' } : null;
  }
}

/** Accepts a task within a transaction. */
export async function acceptIn(tx: Tx, task: NewTask, workKind: string): Promise<void> {
  const sessionNo = await openSession(tx, task);
  const queued = await insertTask(tx, task, sessionNo, workKind);
  await tellState(tx, task, sessionNo);
  tx.emit(...taskEmission('agent_task.queued', queued));
  tx.addWork(workKind, task.id);
}

/** The state that came with the call is set by now, before any worker has seen the task. */
async function tellState(tx: Tx, { id, state: { given } }: NewTask, sessionNo: number): Promise<StreamEvent[]> {
  if (Object.keys(given).length === 0) return [];
  return writeLog(tx, { id, session_no: sessionNo, last_seq: 0 }, [stateUpdated(given)]);
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

async function insertTask(tx: Tx, task: NewTask, sessionNo: number, workKind: string): Promise<TaskRecord[]> {
  return tx.query<TaskRecord>(
    `INSERT INTO agents.tasks AS t (company_id, id, agent_id, session_no, session_id, status, version, release,
       application_id, snapshot, input_messages, response_format, max_iterations, max_cost, has_secrets, trigger, metadata,
       parent_task_id, parent_step, depth, work_kind)
     VALUES ($1, $2, $3, $4, $5, 'QUEUED', $6, $7, $8, $9, $10, $11, $12, $13, $14, $16, $15, $17, $18, $19, $20)
     RETURNING ${TASK_RECORD}`,
    [
      tx.companyId,
      task.id,
      task.agent_id,
      sessionNo,
      task.session_id,
      task.version,
      task.release,
      task.application_id,
      JSON.stringify(task.snapshot),
      JSON.stringify(task.input_messages),
      task.response_format ? JSON.stringify(task.response_format) : null,
      task.max_iterations,
      task.max_cost,
      task.has_secrets,
      JSON.stringify(task.metadata),
      task.trigger,
      task.parent?.id ?? null,
      task.parent?.step ?? null,
      task.parent?.depth ?? 0,
      workKind,
    ],
  );
}
