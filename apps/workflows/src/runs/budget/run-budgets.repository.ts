import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import type { RunningRun } from '../running-run.js';
import { RunBudget } from './run-budget.js';

/** True for the first claim of a job: nothing was executed before. */
export const isFirst = ({ fence }: Job): boolean => fence <= 1;

/** Reads what runs have cost. */
@Injectable()
export class RunBudgets {
  constructor(private readonly db: Database) {}

  /** The budget of a run that is executed; what earlier executions have cost counts. */
  async of(job: Job, { id, max_cost }: RunningRun): Promise<RunBudget> {
    return new RunBudget(max_cost, max_cost === null || isFirst(job) ? 0 : await this.spent(job.companyId, id));
  }

  /** The cost of an open run with its nested runs; one that has ended includes those below it. */
  private async spent(companyId: number, id: string): Promise<number> {
    const [sum] = await this.db.select<{ cost: number }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (
         WITH RECURSIVE tree AS (
           SELECT t.id, t.cost, t.completed_at FROM workflows.runs t WHERE t.company_id = s.company AND t.id = $2
           UNION ALL
           SELECT c.id, c.cost, c.completed_at FROM tree JOIN workflows.runs c
             ON c.company_id = s.company AND c.parent_run_id = tree.id AND tree.completed_at IS NULL
         ) SELECT COALESCE(sum(cost), 0)::float8 AS cost FROM tree OFFSET 0) x`,
      [id],
    );
    return sum?.cost ?? 0;
  }
}
