import { notFound, type SessionFeedback } from '@signalbox/contracts';
import { NOW_MS } from './schema/schema.js';
import type { Tx } from './tx.js';

export interface FeedbackColumns {
  session_id: string;
  feedback_score: number | null;
  feedback_text: string | null;
  feedback_key_id: number | null;
  feedback_at: number | null;
}

export interface GivenFeedback {
  score: number | null;
  text: string | null;
}

export function feedbackOf(row: FeedbackColumns): SessionFeedback | null {
  const { session_id, feedback_score, feedback_text, feedback_key_id: key_id, feedback_at } = row;
  return feedback_at === null
    ? null
    : { session_id, feedback_score, feedback_text, key_id, date_updated: Number(feedback_at) };
}

/** 404 when there is none to remove. */
export async function writeFeedback(
  tx: Tx,
  table: string,
  row: FeedbackColumns & { id: number },
  given: GivenFeedback | null,
): Promise<SessionFeedback | null> {
  const before = feedbackOf(row);
  if (!given && !before) throw notFound('feedback');
  const set = {
    feedback_score: given?.score ?? null,
    feedback_text: given?.text ?? null,
    feedback_key_id: given && 'keyId' in tx.owner ? tx.owner.keyId : null,
    feedback_at: given && Date.now(),
  };
  await tx.query(
    `UPDATE ${table} SET feedback_score = $3, feedback_text = $4, feedback_key_id = $5, feedback_at = $6,
       date_updated = ${NOW_MS} WHERE company_id = $1 AND id = $2`,
    [tx.companyId, row.id, set.feedback_score, set.feedback_text, set.feedback_key_id, set.feedback_at],
  );
  const after = feedbackOf({ ...row, ...set });
  tx.audit({ action: 'update', resource_type: 'session', resource_id: row.session_id, before, after });
  return after;
}
