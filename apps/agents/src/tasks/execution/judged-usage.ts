import { addUsage, NO_USAGE, type Usage } from '@signalbox/contracts';
import { budgetOf, type RunningTask } from './running-task.js';

export class OverBudget extends Error {}

export class JudgedUsage {
  usage: Usage = NO_USAGE;
  private readonly budget: number | null;

  constructor(task: RunningTask) {
    this.budget = budgetOf(task);
  }

  get isUsed(): boolean {
    return this.usage.total_tokens > 0 || this.usage.cost !== null;
  }

  hooks(signal: AbortSignal): { before: () => void; used: (usage: Usage) => void; signal: AbortSignal } {
    const before = (): void => {
      signal.throwIfAborted();
      if (this.budget !== null && (this.usage.cost ?? 0) > this.budget) throw new OverBudget();
    };
    return { before, used: (usage) => void (this.usage = addUsage(this.usage, usage)), signal };
  }
}
