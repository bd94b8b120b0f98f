import type { Tx } from '@signalbox/database';
import type { LockedRun } from '../run-kind.js';
import { IS_COMMITTED, TRANSACTION_ID } from './applied-once.sql.js';
import type { RunChange } from './run-writes.repository.js';

/**
 * The change for all attempts of one write: it is left out when the attempt before was committed and only the reply to
 * its commit was lost. An earlier attempt has ended by then, because each has locked the run.
 */
export function appliedOnce<Run extends LockedRun>(change: RunChange<Run>): RunChange<Run> {
  let tried: string | undefined;
  return async (tx, ...locked) => {
    if (tried !== undefined && (await isCommitted(tx, tried))) return [];
    const [transaction] = await tx.query<{ id: string }>(TRANSACTION_ID);
    tried = transaction?.id;
    return change(tx, ...locked);
  };
}

async function isCommitted(tx: Tx, transactionId: string): Promise<boolean> {
  const [found] = await tx.query<{ committed: boolean }>(IS_COMMITTED, [transactionId]);
  return found?.committed === true;
}
