import type { Tx } from '@signalbox/database';
import type { LockedRun, RunKind } from '../run-kind.js';

/** A run that waits for the one that has just ended is due again. */
export async function wakeParent(tx: Tx, { tables }: Pick<RunKind, 'tables'>, run: LockedRun): Promise<void> {
  const { runs, parent } = tables;
  if (!parent) return;
  const [above] = await tx.query<{ id: string; work_kind: string }>(
    `SELECT p.id, p.work_kind FROM ${runs} c JOIN ${runs} p ON p.company_id = c.company_id AND p.id = c.${parent}
     WHERE c.company_id = $1 AND c.id = $2 AND p.status = 'RUNNING'`,
    [tx.companyId, run.id],
  );
  if (above) tx.addWork(above.work_kind, above.id);
}
