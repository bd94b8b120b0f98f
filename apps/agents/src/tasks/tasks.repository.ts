import { Injectable } from '@nestjs/common';
import {
  type Caller,
  invalidField,
  JsonText,
  type Message,
  notFound,
  type OnOff,
  type Page,
  type ResponseFormat,
  type StreamEvent,
  type Task,
} from '@signalbox/contracts';
import { Database, type ListOptions, type Tx, type View } from '@signalbox/database';
import type { AgentSnapshot } from '../agents/agent-snapshot.js';
import type { EndedTask } from './invocation.js';
import { isTerminal, move } from './task.js';
import { wakeParent } from './task-family.repository.js';
import { taskEmission, type ToldTask, writeLog } from './task-log.repository.js';

const USAGE = `json_build_object('prompt_tokens', t.prompt_tokens, 'completion_tokens', t.completion_tokens,
  'total_tokens', t.total_tokens, 'cost', t.cost)`;

const view: View = {
  resource: 'task',
  table: 'agents.tasks',
  keyType: 'uuid',
  alive: 'true',
  columns: [
    'id',
    'agent_id',
    'parent_task_id',
    'session_id',
    'status',
    'version',
    'release',
    'input_messages',
    'output',
    'structured_output',
    'iterations',
    'failure_class',
    'error_code',
    'error_message',
    'started_at',
    'completed_at',
    'trigger',
    'metadata',
    'date_created',
  ],
  computed: { usage: USAGE, duration_ms: 't.completed_at - t.started_at' },
  search: ['t.session_id', 't.id::text', 't.error_message'],
  // Ids are random; the order of acceptance stands in for them.
  sort: {
    accepted: 't.no',
    date_created: 't.no',
    date_updated: 't.no',
    status: 't.status',
    completed_at: 't.completed_at',
  },
};

const ENDED = `t.id, t.session_id, t.status, t.output, t.structured_output, t.model, ${USAGE} AS usage, t.failure_class,
  t.error_code, t.error_message, t.completed_at, t.hook_expires_at`;

/** What a new task is made from; everything in it is free of secrets. */
export interface NewTask {
  id: string;
  trigger: ToldTask['trigger'];
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

/** A task as its parent sees it. */
export type ChildTask = EndedTask;

interface LockedTask extends ToldTask {
  parent_task_id: string | null;
  session_no: number;
  last_seq: number;
}

/** Rows of tasks as their callers see them. */
@Injectable()
export class Tasks {
  constructor(private readonly db: Database) {}

  /** Status and application of an agent; 404 when it does not exist. */
  async agentOf(companyId: number, agentId: number): Promise<{ status: OnOff; application_id: number | null }> {
    const [agent] = await this.db.select<{ status: OnOff; application_id: number | null }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.status, t.application_id FROM agents.agents t
         WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
      [agentId],
    );
    if (!agent) throw notFound('agent');
    return agent;
  }

  list(companyId: number, options: ListOptions): Promise<JsonText<Page<Task>>> {
    const sort = options.sort.replace(/^(-?)id$/, '$1accepted');
    return this.db.list<Task>(view, companyId, { ...options, sort });
  }

  async get(companyId: number, agentId: number, id: string): Promise<JsonText<Task>> {
    await this.require(companyId, agentId, id);
    const task = await this.db.readOne<Task>(view, companyId, id);
    if (!task) throw notFound('task');
    return task;
  }

  /** Status and last event of a task of the agent; 404 when there is none. */
  async require(companyId: number, agentId: number, id: string): Promise<{ ended: boolean; last_seq: number }> {
    const [task] = await this.db.select<LockedTask>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.status, t.last_seq FROM agents.tasks t
         WHERE t.company_id = s.company AND t.id = $2 AND t.agent_id = $3 OFFSET 0) x`,
      [id, agentId],
    );
    if (!task) throw notFound('task');
    return { ended: isTerminal(task.status), last_seq: task.last_seq };
  }

  /** The outcome of a task once it has ended, or the task while it waits for a callback; else null. */
  async findEnded(companyId: number, id: string, orWaiting = false): Promise<EndedTask | null> {
    const [task] = await this.db.select<EndedTask>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT ${ENDED} FROM agents.tasks t
         WHERE t.company_id = s.company AND t.id = $2
           AND (t.completed_at IS NOT NULL OR ($3 AND t.status = 'WAITING_WEBHOOK')) OFFSET 0) x`,
      [id, orWaiting],
    );
    return task ?? null;
  }

  /** The task that a step of another one has started, null while it has not. */
  async findChild(companyId: number, parentId: string, step: number): Promise<ChildTask | null> {
    const [child] = await this.db.select<ChildTask>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT ${ENDED} FROM agents.tasks t
         WHERE t.company_id = s.company AND t.parent_task_id = $2 AND t.parent_step = $3 OFFSET 0) x`,
      [parentId, step],
    );
    return child ?? null;
  }

  /** Events of a task after a sequence number. */
  async eventsAfter(companyId: number, id: string, seq: number, limit: number): Promise<StreamEvent[]> {
    return this.db.select<StreamEvent>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.seq, t.type, t.data FROM agents.task_events t
         WHERE t.company_id = s.company AND t.task_id = $2 AND t.seq > $3 ORDER BY t.seq LIMIT $4 OFFSET 0) x ORDER BY x.seq`,
      [id, seq, limit],
    );
  }

  /** Accepts a task: session, row, event and work commit together. */
  async accept(caller: Caller, task: NewTask, workKind: string): Promise<Accepted> {
    return this.db.withCompany(caller, async (tx) => {
      await acceptIn(tx, task, workKind);
      return { task_id: task.id, session_id: task.session_id, status: 'QUEUED' };
    });
  }

  /**
   * Cancels a task and every task below it; whoever works on them finds the next write refused, and is told at once
   * besides.
   */
  async cancel(caller: Caller, agentId: number, id: string): Promise<{ task: JsonText<Task>; told: ToldEvents[] }> {
    let told: ToldEvents[] = [];
    const task = await this.db.withCompany(caller, async (tx) => {
      const [row] = await tx.query<LockedTask>(
        `SELECT ${LOCKED} FROM agents.tasks WHERE company_id = $1 AND id = $2 AND agent_id = $3 FOR UPDATE`,
        [tx.companyId, id, agentId],
      );
      if (!row) throw notFound('task');
      told = [await cancelIn(tx, row)];
      await wakeParent(tx, row.parent_task_id);
      for (let parents = [row.id]; parents.length > 0;) {
        const children = await tx.query<LockedTask>(
          `SELECT ${LOCKED} FROM agents.tasks
           WHERE company_id = $1 AND parent_task_id = ANY ($2) AND completed_at IS NULL FOR UPDATE`,
          [tx.companyId, parents],
        );
        for (const child of children) told.push(await cancelIn(tx, child));
        parents = children.map((child) => child.id);
      }
      return (await tx.read<Task>(view, id)) ?? missing();
    });
    return { task, told };
  }
}

/** Events of one task, to be announced. */
export interface ToldEvents {
  id: string;
  events: StreamEvent[];
}

const LOCKED = 'id, agent_id, parent_task_id, session_id, session_no, status, trigger, version, last_seq';

async function cancelIn(tx: Tx, row: LockedTask): Promise<ToldEvents> {
  const status = move(row, 'cancel');
  await tx.query(
    'UPDATE agents.tasks SET status = $3, completed_at = $4, hook_expires_at = NULL WHERE company_id = $1 AND id = $2',
    [tx.companyId, row.id, status, Date.now()],
  );
  const events = await writeLog(tx, row, [
    { event: { type: 'task.cancelled', data: {} }, timeline: { type: 'task_end', data: { status } } },
  ]);
  tx.emit(taskEmission('agent_task.cancelled', { ...row, status }));
  return { id: row.id, events };
}

/** Accepts a task within a transaction. */
export async function acceptIn(tx: Tx, task: NewTask, workKind: string): Promise<void> {
  const sessionNo = await openSession(tx, task);
  await insertTask(tx, task, sessionNo, workKind);
  tx.emit(taskEmission('agent_task.queued', { ...task, status: 'QUEUED' }));
  tx.addWork(workKind, task.id);
}

function missing(): never {
  throw notFound('task');
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
  return session?.id ?? missing();
}

async function insertTask(tx: Tx, task: NewTask, sessionNo: number, workKind: string): Promise<void> {
  await tx.query(
    `INSERT INTO agents.tasks (company_id, id, agent_id, session_no, session_id, status, version, release,
       application_id, snapshot, input_messages, response_format, max_iterations, max_cost, has_secrets, trigger, metadata,
       parent_task_id, parent_step, depth, work_kind)
     VALUES ($1, $2, $3, $4, $5, 'QUEUED', $6, $7, $8, $9, $10, $11, $12, $13, $14, $16, $15, $17, $18, $19, $20)`,
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
