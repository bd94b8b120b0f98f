import { conflict } from '@signalbox/contracts';
import type { Statement } from './statement.js';
import type { Tx } from './tx.js';

/**
 * Throws 409 when the statement, which returns `count`, counts as many rows as there may be. Concurrent calls may
 * exceed the maximum unless what owns the rows is locked.
 */
export async function requireFewer(
  tx: Tx,
  max: number,
  { sql, values, message }: { sql: Statement<'transaction'>; values: readonly unknown[]; message: string },
): Promise<void> {
  const [row] = await tx.query<{ count: number }>(sql, [tx.companyId, ...values]);
  if ((row?.count ?? 0) >= max) throw conflict(message);
}
