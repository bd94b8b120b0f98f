import { Injectable } from '@nestjs/common';
import { JobHandler, type JobWith, TryLater } from '@signalbox/bus';
import { Database, type Tx } from '@signalbox/database';
import { agentJobs } from '../jobs.js';
import {
  OPEN_TASK,
  FAMILY_OF_TASKS,
  DELETE_STEPS,
  DELETE_TIMELINE,
  EMPTY_EVENTS,
  EMPTY_STATE,
  EMPTY_TASKS,
} from './session-erasure.sql.js';

const OPEN_MS = 30_000;

const ERASURES = [EMPTY_TASKS, DELETE_STEPS, DELETE_TIMELINE, EMPTY_EVENTS];

/**
 * Removes the messages of deleted sessions from their tasks, steps, timelines and streams, and from those of the
 * sub-agents below, and then the state of the session; usage and outcome of the tasks stay. Waits for open tasks.
 *
 * SQL: families of tasks are found by recursion and changed in batches.
 */
@Injectable()
export class SessionErasureWorker {
  constructor(private readonly db: Database) {}

  @JobHandler(agentJobs.eraseSession, { unlimitedAttempts: true })
  async erase(
    { companyId, payload: { sessionNo } }: JobWith<{ sessionNo: number }>,
    signal: AbortSignal,
  ): Promise<void> {
    // Before the batches: a task that ends during the last one is found by the next attempt.
    const isOpen = await this.hasOpenTask(companyId, sessionNo);
    for (let erased = -1; erased !== 0;) {
      signal.throwIfAborted();
      erased = await this.db.withCompany({ companyId }, (tx) => eraseBatch(tx, sessionNo));
    }
    if (isOpen) throw new TryLater(OPEN_MS);
    await this.db.withCompany({ companyId }, (tx) => tx.query(EMPTY_STATE, [companyId, sessionNo]));
  }

  private async hasOpenTask(companyId: number, sessionNo: number): Promise<boolean> {
    const open = await this.db.select(companyId, OPEN_TASK, [sessionNo]);
    return open.length > 0;
  }
}

async function eraseBatch(tx: Tx, sessionNo: number): Promise<number> {
  const family = await tx.query<{ id: string }>(FAMILY_OF_TASKS, [tx.companyId, sessionNo]);
  const ids = family.map(({ id }) => id);
  if (ids.length > 0) for (const statement of ERASURES) await tx.query(statement, [tx.companyId, ids]);
  return ids.length;
}
