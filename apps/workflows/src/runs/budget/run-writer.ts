import { addUsage, isUsed, NO_USAGE, type Usage } from '../usage.js';
import { type Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import type { RunEvent } from '@signalbox/runs';
import type { RunBudget } from './run-budget.js';
import type { WorkflowRuns } from '../workflow-runs.repository.js';
import { INSERT_RESULT, FIND_RESULT, ADD_USAGE } from './run-writer.sql.js';

/** A restarted script does not compute it again. */
export interface KeptResult {
  kind: 'step' | 'task';
  name: string;
  result: unknown;
  /** Counted once, together with the result. */
  usage?: Usage;
}

const BATCH = 200;

/**
 * Writes the events of an execution in order: while one transaction runs, the next one collects. Every write carries
 * the fence of the job.
 */
export class RunWriter {
  private queue: RunEvent[] = [];
  private usage = NO_USAGE;
  private writing: Promise<void> | undefined;
  private failure: Error | undefined;

  constructor(
    private readonly runs: WorkflowRuns,
    private readonly job: Job,
    private readonly runId: string,
    private readonly budget: RunBudget,
    /** Called when a write was refused: the run has ended, or another worker executes it. */
    private readonly refused: (error: unknown) => void,
  ) {}

  add(event: RunEvent, usage?: Usage): void {
    this.queue.push({ at: Date.now(), ...event });
    if (usage) this.usage = addUsage(this.usage, usage);
    this.budget.spend(usage);
    this.writing ??= this.write();
  }

  /** Resolves once the result is stored, with the result that was stored first. */
  async keep({ kind, name, result, usage }: KeptResult, event: RunEvent): Promise<unknown> {
    let kept = result;
    let isNew = false;
    await this.runs.writes.fenced(this.job, this.runId, async (tx) => {
      const stored = await tx.query(INSERT_RESULT, [tx.companyId, this.runId, kind, name, JSON.stringify(result)]);
      isNew = stored.length > 0;
      if (isNew) {
        if (usage) await this.addUsageIn(tx, usage);
        return [event];
      }
      const [earlier] = await tx.query<{ result: unknown }>(FIND_RESULT, [tx.companyId, this.runId, kind, name]);
      kept = earlier?.result;
      return [];
    });
    if (isNew) this.budget.spend(usage);
    return kept;
  }

  /** Writes what is left; throws when a write was refused. */
  async close(): Promise<void> {
    while (this.writing) await this.writing;
    if (this.failure) throw this.failure;
  }

  private async write(): Promise<void> {
    try {
      // Calls that end in the same turn share a transaction.
      await Promise.resolve();
      while (this.queue.length > 0) await this.writeBatch();
    } catch (error) {
      this.failure = error as Error;
      this.queue = [];
      this.refused(error);
    } finally {
      this.writing = undefined;
    }
  }

  private async writeBatch(): Promise<void> {
    const events = this.queue.splice(0, BATCH);
    const { usage } = this;
    this.usage = NO_USAGE;
    await this.runs.writes.fenced(this.job, this.runId, async (tx) => {
      if (isUsed(usage)) await this.addUsageIn(tx, usage);
      return events;
    });
  }

  private async addUsageIn(tx: Tx, { prompt_tokens, completion_tokens, total_tokens, cost }: Usage): Promise<void> {
    await tx.query(ADD_USAGE, [tx.companyId, this.runId, prompt_tokens, completion_tokens, total_tokens, cost]);
  }
}
