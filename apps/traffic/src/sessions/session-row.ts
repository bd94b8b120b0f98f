import { notFound } from '@signalbox/contracts';
import type { FeedbackColumns, Tx } from '@signalbox/database';

/** The columns of a locked session. */
export interface LockedSession extends FeedbackColumns {
  id: number;
  application_id: number | null;
  metadata: Record<string, unknown>;
}

/** Locks a session that is not deleted. */
export async function lockSession(tx: Tx, sessionId: string): Promise<LockedSession> {
  const [row] = await tx.query<LockedSession>(
    `SELECT t.* FROM traffic.sessions t
     WHERE t.company_id = $1 AND t.session_id = $2 AND t.deleted_at IS NULL FOR NO KEY UPDATE`,
    [tx.companyId, sessionId],
  );
  if (!row) throw notFound('session');
  return row;
}

/** Sets columns of a locked session; their parameters start at $3. */
export async function setSession(tx: Tx, id: number, columns: string, values: unknown[]): Promise<void> {
  await tx.query(
    `UPDATE traffic.sessions SET ${columns}, date_updated = (extract(epoch from clock_timestamp()) * 1000)::bigint
     WHERE company_id = $1 AND id = $2`,
    [tx.companyId, id, ...values],
  );
}
