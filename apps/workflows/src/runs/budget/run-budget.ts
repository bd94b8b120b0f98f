import { type ScriptHostError } from '@signalbox/scripts';
import { FailedCall } from '../outcome/failed-call.js';
import type { Usage } from '../usage.js';

/**
 * What a run and all that it has called may still cost. It is shared by a run with its nested runs, which one worker
 * executes.
 */
export class RunBudget {
  constructor(
    /** US dollars; null without a limit. */
    private readonly limit: number | null,
    private spent: number,
  ) {}

  /** What is left in US dollars; null without a limit. */
  get left(): number | null {
    return this.limit === null ? null : Math.max(0, this.limit - this.spent);
  }

  spend(usage: Usage | undefined): void {
    this.spent += usage?.cost ?? 0;
  }

  /** Refuses a call that would cost more; the exception ends the run unless its script catches it. */
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
