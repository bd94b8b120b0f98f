import { type ScriptHostError } from '@signalbox/scripts';
import { FailedCall } from '../outcome/failed-call.js';
import type { Usage } from '@signalbox/contracts';

/** Of a run and everything that it called; shared with its nested runs, which the same worker executes. */
export class RunBudget {
  constructor(
    /** In US dollars; null without a limit. */
    private readonly limit: number | null,
    private spent: number,
  ) {}

  get left(): number | null {
    return this.limit === null ? null : Math.max(0, this.limit - this.spent);
  }

  spend(usage: Usage | undefined): void {
    this.spent += usage?.cost ?? 0;
  }

  /** Throws when the budget is spent; the exception ends the run unless its script catches it. */
  require(): void {
    if (this.limit !== null && this.spent > this.limit) throw this.exceeded();
  }

  private exceeded(): ScriptHostError {
    return new FailedCall('BudgetExceededError', `the run has cost more than ${this.limit} US dollars`, {
      failure_class: 'quality',
      error_code: 'budget_exceeded',
    });
  }
}
