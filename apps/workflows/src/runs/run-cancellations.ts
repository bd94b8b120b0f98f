import { Injectable } from '@nestjs/common';
import { Consumes, Works } from '@signalbox/bus';
import { type EventEnvelope, workflowConsumers } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { WorkflowRuns } from './workflow-runs.repository.js';

/** Kind of the work of cancelling runs; its reference is `called_by/<task id>` or `workflow_id/<id>`. */
const CANCEL_WORK = 'workflow_run_cancels';

type TaskEnded = EventEnvelope<{ id: string }>;

/**
 * Cancels the open runs of what has gone: of a task that has ended without an answer, whose worker may have been lost
 * before it could cancel them, and of a deleted workflow. Runs that a completed task has started in the background
 * continue.
 */
@Injectable()
export class RunCancellations {
  constructor(private readonly runs: WorkflowRuns) {}

  @Consumes(workflowConsumers.taskFailed)
  taskFailed({ data }: TaskEnded, tx: Tx): Promise<void> {
    return this.ofTask(tx, data.id);
  }

  @Consumes(workflowConsumers.taskCancelled)
  taskCancelled({ data }: TaskEnded, tx: Tx): Promise<void> {
    return this.ofTask(tx, data.id);
  }

  /** Adds the work of cancelling the open runs of a workflow to the transaction that deletes it. */
  ofWorkflow(tx: Tx, workflowId: number): void {
    tx.addWork(CANCEL_WORK, `workflow_id/${workflowId}`);
  }

  private async ofTask(tx: Tx, taskId: string): Promise<void> {
    const open = await tx.query(
      `SELECT 1 AS open FROM workflows.runs WHERE company_id = $1 AND called_by = $2 AND completed_at IS NULL LIMIT 1`,
      [tx.companyId, taskId],
    );
    if (open.length > 0) tx.addWork(CANCEL_WORK, `called_by/${taskId}`);
  }

  @Works(CANCEL_WORK)
  async cancel({ companyId, ref }: Job): Promise<void> {
    const [column = '', id = ''] = ref.split('/', 2);
    const where = column === 'workflow_id' ? { workflow_id: Number(id) } : { called_by: id };
    await this.runs.cancels.cancelOpen(companyId, where);
  }
}
