import type { Tx } from '@signalbox/database';

/** A task that waits for the child that has just ended is due again. */
export async function wakeParent(tx: Tx, parentId: string | null): Promise<void> {
  if (parentId === null) return;
  const [parent] = await tx.query<{ work_kind: string }>(
    `SELECT work_kind FROM agents.tasks WHERE company_id = $1 AND id = $2 AND status = 'RUNNING'`,
    [tx.companyId, parentId],
  );
  if (parent) tx.addWork(parent.work_kind, parentId);
}
