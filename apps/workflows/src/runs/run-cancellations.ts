import { Injectable } from '@nestjs/common';
import { Consumer, JobHandler, type JobWith } from '@signalbox/bus';
import { type EventEnvelope, workflowConsumers } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import { WorkflowRuns } from './workflow-runs.repository.js';
import { workflowJobs } from '../jobs.js';
import { OPEN_OF_TASK, OPEN_OF_WORKFLOW, RUNS_OF_TASK } from './run-cancellations.sql.js';

type TaskEnded = EventEnvelope<{ id: string }>;

/**
 * Cancels open runs of a deleted workflow, and of a task that ended without an answer: its worker may have been lost
 * before it could cancel them. Background runs of a completed task continue.
 */
@Injectable()
export class RunCancellations {
  constructor(private readonly runs: WorkflowRuns) {}

  @Consumer(workflowConsumers.taskFailed)
  taskFailed({ data }: TaskEnded, tx: Tx): Promise<void> {
    return this.ofTask(tx, data.id);
  }

  @Consumer(workflowConsumers.taskCancelled)
  taskCancelled({ data }: TaskEnded, tx: Tx): Promise<void> {
    return this.ofTask(tx, data.id);
  }

  /** To be called in the transaction that deletes the workflow. */
  ofWorkflow(tx: Tx, workflowId: number): void {
    tx.addJob(workflowJobs.cancelRuns, { by: 'workflow_id', id: String(workflowId) });
  }

  private async ofTask(tx: Tx, taskId: string): Promise<void> {
    const open = await tx.query(RUNS_OF_TASK, [tx.companyId, taskId]);
    if (open.length > 0) tx.addJob(workflowJobs.cancelRuns, { by: 'called_by', id: taskId });
  }

  @JobHandler(workflowJobs.cancelRuns, { unlimitedAttempts: true })
  async cancel({ companyId, payload: { by, id } }: JobWith<{ by: string; id: string }>): Promise<void> {
    const isOfWorkflow = by === 'workflow_id';
    const open = isOfWorkflow ? OPEN_OF_WORKFLOW : OPEN_OF_TASK;
    await this.runs.cancels.cancelOpen(companyId, open, [isOfWorkflow ? Number(id) : id]);
  }
}
