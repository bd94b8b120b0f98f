import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import type { EndedTask } from './submission/invocation.js';
import { USAGE } from './tasks.repository.js';

const ENDED = `t.id, t.session_id, t.status, t.output, t.structured_output, t.model, ${USAGE} AS usage, t.failure_class,
  t.error_code, t.error_message, t.completed_at, t.hook_expires_at`;

/** How tasks have ended, or why they wait. */
@Injectable()
export class TaskEndings {
  constructor(private readonly db: Database) {}

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
  async findChild(companyId: number, parentId: string, step: number): Promise<EndedTask | null> {
    const [child] = await this.db.select<EndedTask>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT ${ENDED} FROM agents.tasks t
         WHERE t.company_id = s.company AND t.parent_task_id = $2 AND t.parent_step = $3 OFFSET 0) x`,
      [parentId, step],
    );
    return child ?? null;
  }

  /** Those of the tasks that have ended. */
  async endedAmong(companyId: number, ids: readonly string[]): Promise<string[]> {
    const rows = await this.db.select<{ id: string }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.id FROM agents.tasks t
         WHERE t.company_id = s.company AND t.id = ANY ($2::uuid[]) AND t.completed_at IS NOT NULL OFFSET 0) x`,
      [ids],
    );
    return rows.map(({ id }) => id);
  }
}
