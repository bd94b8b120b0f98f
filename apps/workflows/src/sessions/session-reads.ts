import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { type Caller, chatSessions, type Page, type RecordedRequest, requests } from '@signalbox/contracts';
import { type SessionToTransform, sessionOf } from './transformed-session.js';

const PAGE = 100;
/** Requests of a session that a transform gets: the latest. */
const MAX_REQUESTS = 200;

/** Reads sessions from the traffic service. */
@Injectable()
export class SessionReads {
  constructor(private readonly bus: BusClient) {}

  /** A session of chat completions; 404 when there is none. */
  async ofChat(session_id: string, caller: Caller): Promise<SessionToTransform> {
    const session = await this.bus.call(chatSessions.endpoints.getSession, { session_id }, caller);
    const named = session.intents.flatMap(({ intent_id, action_type }): [number, string][] =>
      action_type === null ? [] : [[intent_id, action_type]],
    );
    const { application_name: application, metadata } = session;
    const facts = { session_id, application, metadata, intents: new Map(named) };
    return sessionOf(facts, await this.requests({ session_id, origin: 'CHAT' }, caller));
  }

  /** The session of a run: the requests of runs with this session id. */
  async ofRuns(
    { session_id, metadata, application }: Pick<SessionToTransform, 'session_id' | 'metadata' | 'application'>,
    caller: Caller,
  ): Promise<SessionToTransform> {
    const facts = { session_id, application, metadata, intents: new Map<number, string>() };
    return sessionOf(facts, await this.requests({ session_id, origin: 'WORKFLOW' }, caller));
  }

  /** The latest requests, oldest first. */
  private async requests(
    filter: { session_id: string; origin: 'CHAT' | 'WORKFLOW' },
    caller: Caller,
  ): Promise<RecordedRequest[]> {
    const { listRequests } = requests.endpoints;
    const found: RecordedRequest[] = [];
    for (let offset = 0; offset < MAX_REQUESTS; offset += PAGE) {
      const query = { ...filter, include_body: true, offset, limit: PAGE, sort: '-id' };
      const { data }: Page<RecordedRequest> = await this.bus.call(listRequests, query, caller);
      found.push(...data);
      if (data.length < PAGE) break;
    }
    return found.reverse();
  }
}
