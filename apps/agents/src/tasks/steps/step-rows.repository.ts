import type { Tx } from '@signalbox/database';
import type { ActionStep, Step } from '../model/conversation.js';
import type { StepRecord } from '../loop/task-outcome.js';

/** A stored step. */
export interface StoredStep {
  kind: Step['kind'];
  step_no: number;
  status: ActionStep['status'];
  result: Step;
}

/** Restores a step from its row; its status is a column because a background action changes it. */
export const readStep = ({ result, status }: StoredStep): Step =>
  result.kind === 'action' ? { ...result, status } : result;

/** Records a step. */
export async function insertStep(tx: Tx, taskId: string, { step, request, duration_ms }: StepRecord): Promise<void> {
  await tx.query(
    `INSERT INTO agents.task_steps (company_id, task_id, step_no, kind, status, request, result, duration_ms)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      tx.companyId,
      taskId,
      step.step_no,
      step.kind,
      step.kind === 'model' ? 'SUCCESS' : step.status,
      JSON.stringify(request),
      JSON.stringify(step),
      duration_ms,
    ],
  );
}

/** Adds the usage of a step to its task. */
export async function addUsage(tx: Tx, taskId: string, { usage }: Step, iterations: number | null): Promise<void> {
  await tx.query(
    `UPDATE agents.tasks SET prompt_tokens = prompt_tokens + $3, completion_tokens = completion_tokens + $4,
       total_tokens = total_tokens + $5,
       cost = CASE WHEN $6::double precision IS NULL THEN cost ELSE COALESCE(cost, 0) + $6::double precision END,
       iterations = COALESCE($7::int, iterations)
     WHERE company_id = $1 AND id = $2`,
    [
      tx.companyId,
      taskId,
      usage?.prompt_tokens ?? 0,
      usage?.completion_tokens ?? 0,
      usage?.total_tokens ?? 0,
      usage?.cost ?? null,
      iterations,
    ],
  );
}
