import { addUsage, NO_USAGE, type Usage } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { appliedOnce, retriedPart, type RunChange, type RunEvent } from '@signalbox/runs';
import type { RunningRun } from '../running-run.js';
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

interface Execution {
  job: Job;
  runId: string;
  budget: RunBudget;
  /** Aborts when this process no longer has the job. */
  signal: AbortSignal;
}

/**
 * Writes the events of an execution in order: while one transaction runs, the next one collects. Every write carries
 * the fence of the job, and is repeated while the database is down.
 */
export class RunWriter {
  private queue: RunEvent[] = [];
  private usage: Usage = NO_USAGE;
  private writing: Promise<void> | undefined;
  private failure: Error | undefined;

  constructor(
    private readonly runs: WorkflowRuns,
    private readonly execution: Execution,
    /** Called when a write was refused: the run has ended, or another worker executes it. */
    private readonly refused: (error: unknown) => void,
  ) {}

  add(event: RunEvent, usage?: Usage): void {
    this.queue.push({ at: Date.now(), ...event });
    if (usage) this.usage = addUsage(this.usage, usage);
    this.execution.budget.spend(usage);
    this.writing ??= this.write();
  }

  /** Resolves once the result is stored, with the result that was stored first. */
  async keep({ kind, name, result, usage }: KeptResult, event: RunEvent): Promise<unknown> {
    let kept = result;
    let isNew = false;
    const { runId, budget } = this.execution;
    await this.fenced(async (tx) => {
      const stored = await tx.query(INSERT_RESULT, [tx.companyId, runId, kind, name, JSON.stringify(result)]);
      // Also when only the reply to its commit was lost, and a repeat finds the result.
      isNew ||= stored.length > 0;
      if (stored.length > 0) {
        if (usage) await this.addUsageIn(tx, usage);
        return [event];
      }
      const [earlier] = await tx.query<{ result: unknown }>(FIND_RESULT, [tx.companyId, runId, kind, name]);
      kept = earlier?.result;
      return [];
    });
    if (isNew) budget.spend(usage);
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
    const write: RunChange<RunningRun> = async (tx) => {
      if (isUsed(usage)) await this.addUsageIn(tx, usage);
      return events;
    };
    await this.fenced(appliedOnce(write));
  }

  private fenced(change: RunChange<RunningRun>): Promise<void> {
    const { job, runId, signal } = this.execution;
    return retriedPart(signal, () => this.runs.writes.fenced(job, runId, change));
  }

  private async addUsageIn(tx: Tx, { prompt_tokens, completion_tokens, total_tokens, cost }: Usage): Promise<void> {
    await tx.query(ADD_USAGE, [
      tx.companyId,
      this.execution.runId,
      prompt_tokens,
      completion_tokens,
      total_tokens,
      cost,
    ]);
  }
}

const isUsed = ({ total_tokens, prompt_tokens, completion_tokens, cost }: Usage): boolean =>
  total_tokens + prompt_tokens + completion_tokens > 0 || cost !== null;
