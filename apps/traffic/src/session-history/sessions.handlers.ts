import { Serves } from '@signalbox/bus';
import { type CallTo, chatSessions, type Handlers, JsonText, notFound } from '@signalbox/contracts';
import { conditionsOf } from '../request-records/index.js';
import { RequestReader } from '../request-reads/index.js';
import { RecordedSessions, type TimelinePage } from './recorded-sessions.repository.js';
import { SessionClaims } from '../sessions/index.js';
import { SessionFeedbacks } from './session-feedback.repository.js';
import { sessionFiltersOf } from './session-filters.js';

type C = typeof chatSessions;

/** Reads wait for the calls that were answered before them. */
@Serves(chatSessions)
export class SessionHandlers implements Handlers<C> {
  constructor(
    private readonly sessions: RecordedSessions,
    private readonly feedbacks: SessionFeedbacks,
    private readonly claims: SessionClaims,
    private readonly requests: RequestReader,
  ) {}

  async listSessions({ input, caller }: CallTo<C, 'listSessions'>) {
    return this.sessions.list(caller.companyId, { ...input, filters: sessionFiltersOf(input) });
  }

  async searchSessions({ input, caller }: CallTo<C, 'searchSessions'>) {
    return this.sessions.list(caller.companyId, { ...input, filters: sessionFiltersOf(input) });
  }

  async getSession({ input, caller }: CallTo<C, 'getSession'>) {
    return this.sessions.get(caller.companyId, input.session_id);
  }

  async updateSession({ input, caller }: CallTo<C, 'updateSession'>) {
    return this.sessions.update(caller, input.session_id, input.metadata);
  }

  async deleteSession({ input, caller }: CallTo<C, 'deleteSession'>) {
    const deleted = await this.sessions.remove(caller, input.session_id);
    this.claims.forget(caller.companyId, input.session_id);
    return deleted;
  }

  async listSessionRequests({ input, caller }: CallTo<C, 'listSessionRequests'>) {
    await this.getSession({ input, caller });
    const filters = conditionsOf({ session_id: input.session_id, in_chat: true });
    return this.requests.list(caller.companyId, { ...input, filters }, false);
  }

  async listSessionTimeline({ input, caller }: CallTo<C, 'listSessionTimeline'>) {
    await this.getSession({ input, caller });
    const page = await this.sessions.timeline(caller.companyId, input.session_id, input);
    return new JsonText<TimelinePage>(page ?? 'null');
  }

  async getSessionFeedback({ input, caller }: CallTo<C, 'getSessionFeedback'>) {
    const found = await this.feedbacks.get(caller.companyId, input.session_id);
    if (!found) throw notFound('feedback');
    return found;
  }

  async giveSessionFeedback({ input, caller }: CallTo<C, 'giveSessionFeedback'>) {
    const { session_id, feedback_score: score = null, feedback_text: text = null } = input;
    const set = await this.feedbacks.set(caller, session_id, { score, text });
    if (!set) throw notFound('session');
    return set;
  }

  async deleteSessionFeedback({ input, caller }: CallTo<C, 'deleteSessionFeedback'>) {
    await this.feedbacks.set(caller, input.session_id, null);
    return { id: input.session_id, deleted: true };
  }
}
