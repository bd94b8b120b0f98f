import type { Tx } from '@signalbox/database';
import type { LockedRun, RunKind } from '../run-kind.js';

/** Makes the work of a running parent due when its child has ended. */
export async function wakeParent(tx: Tx, { tables }: Pick<RunKind, 'tables'>, run: LockedRun): Promise<void> {
  const { runs, parent } = tables;
  if (!parent) return;
  const [parentRun] = await tx.query<{ id: string; work_kind: string }>(
    `SELECT p.id, p.work_kind FROM ${runs} c JOIN ${runs} p ON p.company_id = c.company_id AND p.id = c.${parent}
     WHERE c.company_id = $1 AND c.id = $2 AND p.status = 'RUNNING'`,
    [tx.companyId, run.id],
  );
  if (parentRun) tx.addWork(parentRun.work_kind, parentRun.id);
}
