import { Injectable } from '@nestjs/common';
import { type Caller, emission, notFound, type SessionFeedback, trafficEvents } from '@signalbox/contracts';
import { Database, feedbackOf, type GivenFeedback, writeFeedback } from '@signalbox/database';
import { type LockedSession, lockSession } from '../sessions/index.js';
import { FIND_SESSION } from './session-feedback.sql.js';

/** SQL: the session is read with its company in one round trip. */
@Injectable()
export class SessionFeedbacks {
  constructor(private readonly db: Database) {}

  async get(companyId: number, sessionId: string): Promise<SessionFeedback | null> {
    const [row] = await this.db.select<LockedSession>(companyId, FIND_SESSION, [sessionId]);
    if (!row) throw notFound('session');
    return feedbackOf(row);
  }

  set(caller: Caller, sessionId: string, given: GivenFeedback | null): Promise<SessionFeedback | null> {
    return this.db.withCompany(caller, async (tx) => {
      const after = await writeFeedback(tx, 'traffic.sessions', await lockSession(tx, sessionId), given);
      if (after) tx.emit(emission(trafficEvents, 'session.feedback_set', sessionId, after));
      return after;
    });
  }
}
