import { Injectable } from '@nestjs/common';
import { type Caller, emission, notFound, type SessionFeedback, trafficEvents } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { type LockedSession, lockSession, setSession } from './session-row.js';

/**
 * Feedback on sessions.
 *
 * SQL: the session is read with its company in one round trip.
 */
@Injectable()
export class SessionFeedbacks {
  constructor(private readonly db: Database) {}

  async get(companyId: number, sessionId: string): Promise<SessionFeedback | null> {
    const [row] = await this.db.select<LockedSession>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.* FROM traffic.sessions t
         WHERE t.company_id = s.company AND t.session_id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
      [sessionId],
    );
    if (!row) throw notFound('session');
    return row.feedback_at === null ? null : feedbackOf(row, row.feedback_at);
  }

  /** Replaces the feedback, or removes it when null. Returns the previous feedback. */
  set(
    caller: Caller,
    sessionId: string,
    given: { score: number | null; text: string | null } | null,
  ): Promise<SessionFeedback | null> {
    return this.db.withCompany(caller, async (tx) => {
      const row = await lockSession(tx, sessionId);
      const before = row.feedback_at === null ? null : feedbackOf(row, row.feedback_at);
      if (!given && !before) throw notFound('feedback');
      const at = given ? Date.now() : null;
      const columns = 'feedback_score = $3, feedback_text = $4, feedback_key_id = $5, feedback_at = $6';
      const key = given ? caller.keyId : null;
      await setSession(tx, row.id, columns, [given?.score ?? null, given?.text ?? null, key, at]);
      const after =
        given && at
          ? {
              session_id: sessionId,
              feedback_score: given.score,
              feedback_text: given.text,
              key_id: key,
              date_updated: at,
            }
          : null;
      if (after) tx.emit(emission(trafficEvents, 'session.feedback_set', sessionId, after));
      tx.audit({ action: 'update', resource_type: 'session', resource_id: sessionId, before, after });
      return after;
    });
  }
}

function feedbackOf(row: LockedSession, at: number): SessionFeedback {
  const { session_id, feedback_score, feedback_text, feedback_key_id } = row;
  return { session_id, feedback_score, feedback_text, key_id: feedback_key_id, date_updated: Number(at) };
}
