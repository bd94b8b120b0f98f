import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import {
  Count,
  Description,
  Epoch,
  Flag,
  Id,
  Int,
  join,
  Json,
  ListOf,
  Name,
  Nullable,
  Num,
  Obj,
  OneOf,
  Optional,
  Str,
} from '../../fields/fields.js';
import { Deleted, ListQuery, PlainSort, TimedListQuery } from '../../shapes.js';
import { FeedbackBody, SessionFeedback } from './session-feedback.js';
import { RecordedRequest } from './recorded-requests.js';

class SessionIntent {
  @Id() intent_id!: number;
  @Str() @Nullable() action_type!: string | null;
}

/** A conversation of chat traffic; the client chooses its key. */
export class ChatSession {
  @Str(1, 128) session_id!: string;
  @Id() @Nullable() application_id!: number | null;
  @Name() @Nullable() application_name!: string | null;
  @ListOf(() => SessionIntent) intents!: SessionIntent[];
  @Count() request_count!: number;
  @Count() fault_count!: number;
  @Count() total_tokens!: number;
  @Num(0) @Nullable() cost!: number | null;
  @Obj() metadata!: Record<string, unknown>;
  @Str(0, 20_000) @Nullable() summary!: string | null;
  @Int(1, 5) @Nullable() feedback_score!: number | null;
  @Str(0, 4000) @Nullable() feedback_text!: string | null;
  @Epoch() first_request_at!: number;
  @Epoch() last_request_at!: number;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

export const SESSION_TIMELINE_TYPES = ['message', 'tool_call', 'evaluation', 'correction', 'feedback'] as const;

export class SessionEvent {
  @OneOf(SESSION_TIMELINE_TYPES) type!: (typeof SESSION_TIMELINE_TYPES)[number];
  @Epoch() timestamp!: number;
  @Str() @Optional() request_id?: string;
  @Str() @Optional() role?: string;
  @Json() @Nullable() @Optional() content?: unknown;
  @Id() @Optional() sentinel_id?: number;
  @Str() @Optional() status?: string;
  @Json() @Optional() tool_call?: unknown;
}

class SessionPath {
  @Str(1, 128) session_id!: string;
}
class SessionFilter {
  @Id() @Optional() application_id?: number;
  @Id() @Optional() intent_id?: number;
  @Flag() @Optional() has_fault?: boolean;
  @Flag() @Optional() has_feedback?: boolean;
}
class ListChatSessions extends join(TimedListQuery, SessionFilter) {}
class SearchChatSessions extends ListChatSessions {
  @Obj() @Optional() metadata?: Record<string, unknown>;
  @Str(0, 200)
  @Optional()
  @Description(
    'Looks into messages and answers of the requests of a session. Of a part over 256 kB, which is kept in object storage, it covers the first 2,000 characters of each text; the first 200 or 20 when the part has so many texts that these would still be over 256 kB; and nothing when even those would be',
  )
  text?: string;
}
class UpdateChatSession extends SessionPath {
  @Obj() @Optional() metadata?: Record<string, unknown>;
}
class OfSession extends ListQuery {
  @Str(1, 128) session_id!: string;
}

class TimelineOf extends OfSession {
  @PlainSort() override sort!: string;
}

const one = '/sessions/{session_id}' as const;
const feedback = '/sessions/{session_id}/feedback' as const;

/** Sessions of chat traffic (docs/api/traffic.md). */
export const chatSessions = defineContract(
  { name: 'chat-sessions', service: 'traffic', tag: 'Sessions', readsAfter: 'completions' },
  {
    listSessions: {
      get: '/sessions',
      summary: 'List the sessions',
      input: ListChatSessions,
      output: page(ChatSession),
    },
    searchSessions: {
      post: '/sessions/search',
      summary: 'Search the sessions',
      scope: 'read',
      input: SearchChatSessions,
      output: page(ChatSession),
    },
    getSession: { get: one, summary: 'Get a session', input: SessionPath, output: ChatSession },
    updateSession: {
      put: one,
      summary: 'Change the metadata of a session',
      input: UpdateChatSession,
      output: ChatSession,
    },
    deleteSession: {
      delete: one,
      summary: 'Delete a session and the content of its requests',
      input: SessionPath,
      output: Deleted,
    },
    listSessionRequests: {
      get: '/sessions/{session_id}/requests',
      summary: 'List the requests of a session',
      input: OfSession,
      output: page(RecordedRequest),
    },
    listSessionTimeline: {
      get: '/sessions/{session_id}/timeline',
      summary: 'List the events of a session, oldest first',
      input: TimelineOf,
      output: page(SessionEvent),
    },
    getSessionFeedback: { get: feedback, summary: 'Get the feedback', input: SessionPath, output: SessionFeedback },
    giveSessionFeedback: {
      post: feedback,
      summary: 'Set the feedback; it replaces earlier feedback',
      input: join(SessionPath, FeedbackBody),
      output: SessionFeedback,
    },
    deleteSessionFeedback: { delete: feedback, summary: 'Delete the feedback', input: SessionPath, output: Deleted },
  },
);
