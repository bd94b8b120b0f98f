import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import type { RunningRun } from '../running-run.js';
import { RunBudget } from './run-budget.js';
import { SPENT_BY_CHAIN } from './run-budgets.sql.js';

/** On the first claim of a job, nothing was executed before. */
export const isFirst = ({ fence }: Job): boolean => fence <= 1;

@Injectable()
export class RunBudgets {
  constructor(private readonly db: Database) {}

  /** Costs of earlier executions count. */
  async of(job: Job, { id, max_cost }: RunningRun): Promise<RunBudget> {
    return new RunBudget(max_cost, max_cost === null || isFirst(job) ? 0 : await this.spent(job.companyId, id));
  }

  /** Includes open nested runs; the cost of a run that has ended already includes those below it. */
  private async spent(companyId: number, id: string): Promise<number> {
    const [sum] = await this.db.select<{ cost: number }>(companyId, SPENT_BY_CHAIN, [id]);
    return sum?.cost ?? 0;
  }
}
