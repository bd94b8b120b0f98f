import type { Tx } from '@signalbox/database';
import type { RunKind } from '../run-kind.js';

/** Makes the work of a running parent due when its child has ended. */
export async function wakeParent(tx: Tx, { tables }: Pick<RunKind, 'tables'>, parentId: string): Promise<void> {
  const [parent] = await tx.query<{ id: string; work_kind: string }>(
    `SELECT id, work_kind FROM ${tables.runs} WHERE company_id = $1 AND id = $2 AND status = 'RUNNING'`,
    [tx.companyId, parentId],
  );
  if (parent) tx.addWork(parent.work_kind, parent.id);
}
