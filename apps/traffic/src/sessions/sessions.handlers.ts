import { Serves } from '@signalbox/bus';
import { type CallTo, chatSessions, type Handlers, type InputOf, JsonText, notFound } from '@signalbox/contracts';
import type { Filter } from '@signalbox/database';
import { RecordedRequests } from '../requests/recorded-requests.repository.js';
import { RequestLog } from '../requests/request-log.js';
import { textPattern } from '../requests/request-filters.js';
import { SessionClaims } from './session-claims.js';
import { IN_SESSION, Sessions, type TimelinePage } from './sessions.repository.js';

type C = typeof chatSessions;
type Search = InputOf<C['endpoints']['searchSessions']>;

/** Sessions of chat traffic. Reads wait for the calls that were answered before them. */
@Serves(chatSessions)
export class SessionHandlers implements Handlers<C> {
  constructor(
    private readonly sessions: Sessions,
    private readonly claims: SessionClaims,
    private readonly requests: RecordedRequests,
    private readonly log: RequestLog,
  ) {}

  async listSessions({ input, caller }: CallTo<C, 'listSessions'>) {
    await this.log.settled();
    return this.sessions.list(caller.companyId, { ...input, filters: filtersOf(input) });
  }

  async searchSessions({ input, caller }: CallTo<C, 'searchSessions'>) {
    await this.log.settled();
    return this.sessions.list(caller.companyId, { ...input, filters: filtersOf(input) });
  }

  async getSession({ input, caller }: CallTo<C, 'getSession'>) {
    await this.log.settled();
    return this.sessions.get(caller.companyId, input.session_id);
  }

  async updateSession({ input, caller }: CallTo<C, 'updateSession'>) {
    await this.log.settled();
    return this.sessions.update(caller, input.session_id, input.metadata);
  }

  async deleteSession({ input, caller }: CallTo<C, 'deleteSession'>) {
    await this.log.settled();
    const deleted = await this.sessions.remove(caller, input.session_id);
    this.claims.forget(caller.companyId, input.session_id);
    return deleted;
  }

  async listSessionRequests({ input, caller }: CallTo<C, 'listSessionRequests'>) {
    await this.getSession({ input, caller });
    const filters = [{ sql: 't.session_id = ?', value: input.session_id }];
    return this.requests.list(caller.companyId, { ...input, filters }, false);
  }

  async listSessionTimeline({ input, caller }: CallTo<C, 'listSessionTimeline'>) {
    await this.getSession({ input, caller });
    const page = await this.sessions.timeline(caller.companyId, input.session_id, input);
    return new JsonText<TimelinePage>(page ?? 'null');
  }

  async getSessionFeedback({ input, caller }: CallTo<C, 'getSessionFeedback'>) {
    await this.log.settled();
    const found = await this.sessions.feedback(caller.companyId, input.session_id);
    if (!found) throw notFound('feedback');
    return found;
  }

  async giveSessionFeedback({ input, caller }: CallTo<C, 'giveSessionFeedback'>) {
    await this.log.settled();
    const { session_id, feedback_score: score = null, feedback_text: text = null } = input;
    const set = await this.sessions.setFeedback(caller, session_id, { score, text });
    if (!set) throw notFound('session');
    return set;
  }

  async deleteSessionFeedback({ input, caller }: CallTo<C, 'deleteSessionFeedback'>) {
    await this.sessions.setFeedback(caller, input.session_id, null);
    return { id: input.session_id, deleted: true };
  }
}

function filtersOf(input: Partial<Search>): Filter[] {
  const { application_id, intent_id, has_fault, has_feedback, start_date, end_date, metadata, text } = input;
  const requested = (condition: string) =>
    `EXISTS (SELECT 1 FROM traffic.requests r WHERE ${IN_SESSION} AND ${condition})`;
  const given: [string, unknown][] = [
    ['t.application_id = ?', application_id],
    [requested('r.intent_id = ?'), intent_id],
    ['(t.fault_count > 0) = ?::boolean', has_fault],
    ['(t.feedback_at IS NOT NULL) = ?::boolean', has_feedback],
    ['t.last_request_at >= ?', start_date],
    ['t.first_request_at < ?', end_date],
    // Equality on each key that is named.
    [
      'NOT EXISTS (SELECT 1 FROM jsonb_each(?::jsonb) m WHERE t.metadata->m.key IS DISTINCT FROM m.value)',
      metadata && JSON.stringify(metadata),
    ],
    [requested(`(r.params->'messages')::text || COALESCE(r.response::text, '') ILIKE ?`), text && textPattern(text)],
  ];
  return given.filter(([, value]) => value !== undefined && value !== '').map(([sql, value]) => ({ sql, value }));
}
