import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import type { TaskEvent } from './streaming/delivered-text.js';
import { isTerminal } from './task.js';
import { lockAncestors, type TaskAncestor } from './children/task-ancestors.repository.js';
import { type EmittedTaskEvents, writeLog } from './task-log.repository.js';
import { TaskNotifications } from './streaming/task-notifications.js';
import type { RunningTask } from './loop/running-task.js';

/** The task has ended otherwise, by a cancellation say: nothing more is written. */
export class TaskEndedError extends Error {}

/** The columns of a task that its worker knows. */
export const TASK_COLUMNS = `t.id, t.agent_id, t.session_no, t.session_id, t.status, t.trigger, t.version, t.last_seq,
  t.snapshot, t.application_id, t.history, t.input_messages, t.response_format, t.max_iterations, t.max_cost,
  t.has_secrets, t.started_at, t.active_since, t.parent_task_id, t.parent_step, t.depth, t.routing, t.metadata, t.work_kind`;

/** What a change of a task may tell, and whether a task that has ended may still be changed. */
type Change = (tx: Tx, task: RunningTask) => Promise<TaskEvent[]>;
/** A change that concerns the tasks above as well; what it tells of them it gathers in `told`. */
export type FamilyChange = (
  tx: Tx,
  task: RunningTask,
  above: TaskAncestor[],
  told: EmittedTaskEvents[],
) => Promise<TaskEvent[]>;

interface How {
  job?: Job;
  evenEnded: boolean;
  /** Locks the tasks above first. */
  family?: boolean;
}

/** The one way in which tasks are written: locked, fenced, told of. */
@Injectable()
export class TaskWrites {
  constructor(
    private readonly db: Database,
    private readonly news: TaskNotifications,
  ) {}

  /** A write of a worker, refused when its job was taken over. */
  async fenced(job: Job, taskId: string, change: Change, evenEnded = false): Promise<void> {
    await this.write(job.companyId, taskId, change, { job, evenEnded });
  }

  /** A write that no worker makes: of a callback, say. */
  async unfenced(companyId: number, taskId: string, change: Change): Promise<void> {
    await this.write(companyId, taskId, change, { evenEnded: false });
  }

  /** A write, by a worker or not, that begins or ends a wait for a callback: the tasks above wait with the task. */
  async family(companyId: number, taskId: string, change: FamilyChange, how: Partial<How> = {}): Promise<void> {
    await this.write(companyId, taskId, change, { evenEnded: false, ...how, family: true });
  }

  private async write(companyId: number, taskId: string, change: FamilyChange, how: How): Promise<void> {
    const told = await this.db.withCompany({ companyId }, async (tx): Promise<EmittedTaskEvents[]> => {
      if (how.job) await tx.requireFence(how.job);
      const above = how.family ? await lockAncestors(tx, taskId) : [];
      const [task] = await tx.query<RunningTask>(
        `SELECT ${TASK_COLUMNS} FROM agents.tasks t WHERE t.company_id = $1 AND t.id = $2 FOR UPDATE`,
        [tx.companyId, taskId],
      );
      if (!task || (isTerminal(task.status) && !how.evenEnded)) throw new TaskEndedError();
      const others: EmittedTaskEvents[] = [];
      const events = await writeLog(tx, task, await change(tx, task, above, others));
      return [...others, { id: taskId, events }];
    });
    for (const { id, events } of told) this.news.publish(id, events);
  }
}
