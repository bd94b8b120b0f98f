import { Injectable } from '@nestjs/common';
import { Consumer, JobHandler, type JobWith } from '@signalbox/bus';
import { agentConsumers, type EventEnvelope } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import { TaskRuns } from './task-runs.repository.js';
import { agentJobs } from '../jobs.js';
import { OPEN_OF_AGENT, OPEN_OF_RUN, TASKS_OF_RUN } from './task-cancellations.sql.js';

type RunEnded = EventEnvelope<{ id: string }>;

/**
 * Cancels the open tasks of a deleted agent, and of a run that has ended without an output: its worker may have been
 * lost before it could cancel them. A run that completes waits for its tasks.
 */
@Injectable()
export class TaskCancellations {
  constructor(private readonly runs: TaskRuns) {}

  @Consumer(agentConsumers.runFailed)
  runFailed({ data }: RunEnded, tx: Tx): Promise<void> {
    return this.ofRun(tx, data.id);
  }

  @Consumer(agentConsumers.runTimedOut)
  runTimedOut({ data }: RunEnded, tx: Tx): Promise<void> {
    return this.ofRun(tx, data.id);
  }

  @Consumer(agentConsumers.runCancelled)
  runCancelled({ data }: RunEnded, tx: Tx): Promise<void> {
    return this.ofRun(tx, data.id);
  }

  /** Within the transaction that deletes the agent. */
  ofAgent(tx: Tx, agentId: number): void {
    tx.addJob(agentJobs.cancelTasks, { by: 'agent_id', id: String(agentId) });
  }

  private async ofRun(tx: Tx, runId: string): Promise<void> {
    const open = await tx.query(TASKS_OF_RUN, [tx.companyId, runId]);
    if (open.length > 0) tx.addJob(agentJobs.cancelTasks, { by: 'called_by', id: runId });
  }

  @JobHandler(agentJobs.cancelTasks, { unlimitedAttempts: true })
  async cancel({ companyId, payload: { by, id } }: JobWith<{ by: string; id: string }>): Promise<void> {
    const isOfAgent = by === 'agent_id';
    const open = isOfAgent ? OPEN_OF_AGENT : OPEN_OF_RUN;
    await this.runs.cancels.cancelOpen(companyId, open, [isOfAgent ? Number(id) : id]);
  }
}
