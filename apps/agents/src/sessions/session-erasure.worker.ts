import { Injectable } from '@nestjs/common';
import { JobHandler, type JobWith, TryLater } from '@signalbox/bus';
import { Database, type Tx } from '@signalbox/database';
import { agentJobs } from '../jobs.js';

/** Tasks of the session in one transaction, with all tasks below them. */
const BATCH = 50;
const OPEN_MS = 30_000;

const FAMILY = `WITH RECURSIVE family AS (
    (SELECT t.id FROM agents.tasks t WHERE t.company_id = $1 AND t.session_no = $2 AND t.completed_at IS NOT NULL
       AND t.input_messages <> '[]' ORDER BY t.no LIMIT ${BATCH})
    UNION
    SELECT c.id FROM family f JOIN agents.tasks c ON c.company_id = $1 AND c.parent_task_id = f.id
  ) SELECT id FROM family`;

const OF_FAMILY = 'company_id = $1 AND task_id = ANY($2::uuid[])';

const STATEMENTS = [
  `UPDATE agents.tasks SET input_messages = '[]', history = '[]', output = NULL, structured_output = NULL
   WHERE company_id = $1 AND id = ANY($2::uuid[])`,
  `DELETE FROM agents.task_steps WHERE ${OF_FAMILY}`,
  `DELETE FROM agents.task_timeline WHERE ${OF_FAMILY}
     AND type IN ('message', 'action_invoked', 'action_result', 'state_update')`,
  `WITH gone AS (DELETE FROM agents.task_events WHERE ${OF_FAMILY} RETURNING *)
   INSERT INTO agents.task_events (company_id, task_id, seq, type, data, timestamp)
   SELECT company_id, task_id, seq, type, data - '{content,arguments,output,changes,result}'::text[], timestamp FROM gone`,
];

/**
 * Removes the messages of deleted sessions from their tasks, their steps, timelines and streams, and from those of the
 * sub-agents below; what the tasks have used and how they ended stays. A task that is open is waited for.
 *
 * SQL: families of tasks are found by recursion and changed in batches.
 */
@Injectable()
export class SessionErasureWorker {
  constructor(private readonly db: Database) {}

  @JobHandler(agentJobs.eraseSession)
  async erase(
    { companyId, payload: { sessionNo } }: JobWith<{ sessionNo: number }>,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      const erased = await this.db.withCompany({ companyId }, (tx) => eraseBatch(tx, sessionNo));
      if (erased === 0) break;
    }
    if (await this.hasOpenTask(companyId, sessionNo)) throw new TryLater(OPEN_MS);
  }

  private async hasOpenTask(companyId: number, sessionNo: number): Promise<boolean> {
    const open = await this.db.select(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT 1 FROM agents.tasks t WHERE t.company_id = s.company AND t.session_no = $2
         AND t.completed_at IS NULL LIMIT 1 OFFSET 0) x`,
      [sessionNo],
    );
    return open.length > 0;
  }
}

async function eraseBatch(tx: Tx, sessionNo: number): Promise<number> {
  const family = await tx.query<{ id: string }>(FAMILY, [tx.companyId, sessionNo]);
  const ids = family.map(({ id }) => id);
  if (ids.length > 0) for (const statement of STATEMENTS) await tx.query(statement, [tx.companyId, ids]);
  return ids.length;
}
