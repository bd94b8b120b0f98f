import { notFound } from '@signalbox/contracts';
import type { FeedbackColumns, Tx } from '@signalbox/database';
import { LOCK_SESSION } from './session-row.sql.js';

export interface LockedSession extends FeedbackColumns {
  id: number;
  application_id: number | null;
  metadata: Record<string, unknown>;
}

/** 404 for a deleted or unknown session. */
export async function lockSession(tx: Tx, sessionId: string): Promise<LockedSession> {
  const [row] = await tx.query<LockedSession>(LOCK_SESSION, [tx.companyId, sessionId]);
  if (!row) throw notFound('session');
  return row;
}
