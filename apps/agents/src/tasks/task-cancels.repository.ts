import { Injectable } from '@nestjs/common';
import { type Caller, type JsonText, notFound, type Task } from '@signalbox/contracts';
import { Database, NOW_MS, type Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { move } from './task.js';
import { lockAncestors, resumeAncestors, wakeNext, wakeParent } from './children/task-ancestors.repository.js';
import {
  TASK_RECORD,
  taskEmission,
  type TaskRecord,
  type EmittedTaskEvents,
  type EmittedTask,
  writeLog,
} from './task-log.repository.js';
import { TaskEndedError } from './task-writes.repository.js';
import { missingTask, taskView } from './tasks.repository.js';

interface LockedTask extends EmittedTask {
  parent_task_id: string | null;
  session_no: number;
  last_seq: number;
}

const LOCKED = 'id, agent_id, parent_task_id, session_id, session_no, status, trigger, version, last_seq';

/** Cancels tasks. */
@Injectable()
export class TaskCancels {
  constructor(private readonly db: Database) {}

  /**
   * Cancels a task and every task below it; whoever works on them finds the next write refused, and is told at once
   * besides.
   */
  async cancel(
    caller: Caller,
    agentId: number,
    id: string,
  ): Promise<{ task: JsonText<Task>; told: EmittedTaskEvents[] }> {
    let told: EmittedTaskEvents[] = [];
    const task = await this.db.withCompany(caller, async (tx) => {
      const above = await lockAncestors(tx, id);
      const [row] = await tx.query<LockedTask>(
        `SELECT ${LOCKED} FROM agents.tasks WHERE company_id = $1 AND id = $2 AND agent_id = $3 FOR UPDATE`,
        [tx.companyId, id, agentId],
      );
      if (!row) throw notFound('task');
      told = [await cancelIn(tx, row)];
      if (row.status === 'WAITING_WEBHOOK') await resumeAncestors(tx, above);
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
      return (await tx.read<Task>(taskView, id)) ?? missingTask();
    });
    return { task, told };
  }

  /** Cancels a task that has not started, by its worker. */
  cancelQueued(job: Job, why: string): Promise<EmittedTaskEvents> {
    return this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.requireFence(job);
      const [row] = await tx.query<LockedTask>(
        `SELECT ${LOCKED} FROM agents.tasks WHERE company_id = $1 AND id = $2 AND status = 'QUEUED' FOR UPDATE`,
        [tx.companyId, job.ref],
      );
      if (!row) throw new TaskEndedError();
      return cancelIn(tx, row, why);
    });
  }
}

async function cancelIn(tx: Tx, row: LockedTask, why: string | null = null): Promise<EmittedTaskEvents> {
  const status = move(row, 'cancel');
  const cancelled = await tx.query<TaskRecord>(
    `UPDATE agents.tasks t SET status = $3, completed_at = ${NOW_MS}, hook_expires_at = NULL, error_message = $4
     WHERE t.company_id = $1 AND t.id = $2 RETURNING ${TASK_RECORD}`,
    [tx.companyId, row.id, status, why],
  );
  const events = await writeLog(tx, row, [
    { event: { type: 'task.cancelled', data: {} }, timeline: { type: 'task_end', data: { status } } },
  ]);
  tx.emit(...taskEmission('agent_task.cancelled', cancelled));
  await wakeNext(tx, row);
  return { id: row.id, events };
}
