import { Injectable } from '@nestjs/common';
import { invalidField, type Message } from '@signalbox/contracts';
import { Database, type Owner, type Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { type ColumnValues, firstTextOf, type RunEvent, type RunStart, shownFirst, workOfChild } from '@signalbox/runs';
import {
  type RunningTask,
  sessionHistory,
  StartedTasks,
  stateUpdated,
  TASK_WORK,
  TaskRuns,
  taskStarted,
} from '../tasks/index.js';
import type { Accepted, AcceptedColumns, NewTask } from './new-task.js';
import { OPEN_SESSION, OPEN_TASK_OF_SESSION } from './task-acceptances.sql.js';

/**
 * Session, row, events and job commit together, and the start with them when this process executes the task at once.
 *
 * SQL: the session is created or merged by one upsert that also locks it.
 */
@Injectable()
export class TaskAcceptances {
  constructor(
    private readonly db: Database,
    private readonly runs: TaskRuns,
    private readonly started: StartedTasks,
  ) {}

  /** `isAwaited` = a call in this process waits for the end of the task. */
  accept(owner: Owner, task: NewTask, workKind: string, isAwaited: boolean): Promise<Accepted> {
    // The idempotency record keeps what the transaction returns.
    const accept = (): Promise<Accepted> =>
      this.db.withCompany(owner, async (tx) => {
        await this.acceptIn(tx, task, workKind, isAwaited);
        return { task_id: task.id, session_id: task.session_id, status: 'QUEUED' };
      });
    return this.started.accepting(task.id, accept);
  }

  acceptChild(job: Job, parent: Pick<RunningTask, 'id' | 'work_kind'>, child: NewTask, log: RunEvent[]): Promise<void> {
    const accept = (): Promise<void> =>
      this.runs.writes.fenced(job, parent.id, async (tx, task) => {
        // The timeline of the parent names the child before that of the child begins.
        await this.runs.writes.change(tx, task, log);
        await this.acceptIn(tx, child, workOfChild(TASK_WORK, child.depth, parent.work_kind), false);
        return [];
      });
    return this.started.accepting(child.id, accept);
  }

  /** Starts the task as well when this process executes it right after the commit. */
  private async acceptIn(tx: Tx, task: NewTask, work_kind: string, isAwaited: boolean): Promise<void> {
    this.started.withdraw(task.id);
    const session = await openSession(tx, task);
    const { given } = task.state;
    // The state of the call is set before any worker reads the task.
    const happened = Object.keys(given).length === 0 ? [] : [stateUpdated(given)];
    let history: Message[] | null = null;
    const start = async (): Promise<RunStart | null> => {
      history = await historyAtAcceptance(tx, task, session);
      return history && { values: { history: JSON.stringify(history) }, events: taskStarted(task) };
    };
    const run = { id: task.id, values: taskValues(task, session.id), workKind: work_kind, start };
    const accepted = await this.runs.writes.accept(tx, run, happened);
    if (!accepted || !history) return;
    const acceptance = { companyId: tx.companyId, session_no: session.id, work_kind, history };
    this.started.offer(startedTask(task, acceptance, accepted as AcceptedColumns), isAwaited);
  }
}

const MAX_STATE = 65_536;

interface OpenSession {
  id: number;
  isNew: boolean;
}

async function openSession(tx: Tx, { agent_id, session_id, state }: NewTask): Promise<OpenSession> {
  const [session] = await tx.query<{ id: number; size: number; is_new: boolean }>(OPEN_SESSION, [
    tx.companyId,
    agent_id,
    session_id,
    JSON.stringify(state.initial),
    JSON.stringify(state.given),
  ]);
  if ((session?.size ?? 0) > MAX_STATE)
    throw invalidField('state', 'makes the state of the session larger than 64 KiB');
  return { id: session?.id ?? 0, isNew: session?.is_new ?? false };
}

/**
 * Null while an earlier task of the session is open: the new task cannot start yet. The session is locked, so that of
 * several new tasks only the first one finds it without an open task.
 */
async function historyAtAcceptance(tx: Tx, task: NewTask, session: OpenSession): Promise<Message[] | null> {
  if (session.isNew) return [];
  if (task.parent === null && (await hasOpenTask(tx, session.id, task.depth))) return null;
  return sessionHistory(tx, { ...task, session_no: session.id });
}

async function hasOpenTask(tx: Tx, sessionNo: number, depth: number): Promise<boolean> {
  const open = await tx.query(OPEN_TASK_OF_SESSION, [tx.companyId, sessionNo, depth]);
  return open.length > 0;
}

const taskValues = (task: NewTask, session_no: number): ColumnValues => ({
  agent_id: task.agent_id,
  session_no,
  session_id: task.session_id,
  status: 'QUEUED',
  version: task.version,
  release: task.release,
  application_id: task.application_id,
  snapshot: JSON.stringify(task.snapshot),
  input_messages: JSON.stringify(task.input_messages),
  first_message: shownFirst(firstTextOf(task.input_messages)),
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

interface Acceptance {
  companyId: number;
  session_no: number;
  work_kind: string;
  history: Message[];
}

function startedTask(task: NewTask, acceptance: Acceptance, accepted: AcceptedColumns): RunningTask {
  const { parent: caller, state: _state, ...columns } = task;
  return {
    ...columns,
    ...acceptance,
    ...accepted,
    status: 'RUNNING',
    parent_task_id: caller?.id ?? null,
    parent_step: caller?.step ?? null,
    routing: null,
    steps: [],
    worked_ms: 0,
    loaded_at: performance.now(),
  };
}
