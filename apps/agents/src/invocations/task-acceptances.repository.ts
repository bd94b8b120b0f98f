import { Injectable } from '@nestjs/common';
import type { Message } from '@signalbox/contracts';
import { Database, type Owner, type Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { type RunEvent, type RunStart, workOfChild } from '@signalbox/runs';
import { type RunningTask, StartedTasks, stateUpdated, TASK_WORK, TaskRuns, taskStarted } from '../tasks/index.js';
import { type Accepted, type AcceptedColumns, type NewTask, startedTask } from './new-task.js';
import { historyAtAcceptance, openSession, taskValues } from './task-acceptances.statements.js';

/**
 * The acceptance of tasks: session, row, events and work commit together, and the start with them when this process
 * executes the task at once.
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

  /** Accepts a task; `isAwaited` when a call in this process waits for its end. */
  accept(owner: Owner, task: NewTask, workKind: string, isAwaited: boolean): Promise<Accepted> {
    // The idempotency record keeps what the transaction returns.
    const accept = (): Promise<Accepted> =>
      this.db.withCompany(owner, async (tx) => {
        await this.acceptIn(tx, task, workKind, isAwaited);
        return { task_id: task.id, session_id: task.session_id, status: 'QUEUED' };
      });
    return this.started.accepting(task.id, accept);
  }

  /** Accepts the task of a sub-agent in a write of its parent. */
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

  /** Accepts a task within a transaction, and starts it when this process executes it right after the commit. */
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
