import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import {
  ApiError,
  type Caller,
  chatSessions,
  MAX_ARGUMENT_LENGTH,
  type Page,
  type RecordedRequest,
  requests,
} from '@signalbox/contracts';
import { sessionOf, type SessionToTransform } from './transformed-session.js';

const PAGE = 100;
/** Divides the page size after a page that was too large. */
const SHRINK = 4;
/** A transform gets the latest ones. */
const MAX_REQUESTS = 200;

interface PageQuery {
  session_id: string;
  origin: 'CHAT' | 'WORKFLOW';
  offset: number;
  limit: number;
}

@Injectable()
export class SessionReads {
  constructor(private readonly bus: BusClient) {}

  /** Throws 404 for an unknown session. */
  async ofChat(session_id: string, caller: Caller): Promise<SessionToTransform> {
    const session = await this.bus.call(chatSessions.endpoints.getSession, { session_id }, caller);
    const named = session.intents.flatMap(({ intent_id, action_type }): [number, string][] =>
      action_type === null ? [] : [[intent_id, action_type]],
    );
    const { application_name: application, metadata } = session;
    const facts = { session_id, application, metadata, intents: new Map(named) };
    return sessionOf(facts, await this.requests({ session_id, origin: 'CHAT' }, caller));
  }

  /** The session consists of the requests of all runs with this session id, and has those of `recorded`. */
  async ofRuns(
    { session_id, metadata, application }: Pick<SessionToTransform, 'session_id' | 'metadata' | 'application'>,
    recorded: readonly string[],
    caller: Caller,
  ): Promise<SessionToTransform> {
    const facts = { session_id, application, metadata, intents: new Map<number, string>() };
    const read = () => this.requests({ session_id, origin: 'WORKFLOW' }, caller);
    const found = await read();
    const ids = new Set(found.map(({ request_id }) => request_id));
    const missing = recorded.find((id) => !ids.has(id));
    if (missing === undefined) return sessionOf(facts, found);
    await this.untilStored(missing, caller);
    return sessionOf(facts, await read());
  }

  /** The traffic service stores what its processes have recorded when it is asked for a request that it does not find. */
  private async untilStored(request_id: string, caller: Caller): Promise<void> {
    try {
      await this.bus.call(requests.endpoints.getRequest, { request_id }, caller);
    } catch (error) {
      // Of a deleted request, and of one that is larger than a reply.
      const isKnown = error instanceof ApiError && (error.kind === 'not_found' || error.kind === 'refused');
      if (!isKnown) throw error;
    }
  }

  /** The latest requests that fit, oldest first; at least one. */
  private async requests(
    filter: { session_id: string; origin: 'CHAT' | 'WORKFLOW' },
    caller: Caller,
  ): Promise<RecordedRequest[]> {
    const found: RecordedRequest[] = [];
    let limit = PAGE;
    while (found.length < MAX_REQUESTS) {
      const page = await this.page({ ...filter, offset: found.length, limit }, caller);
      if (page) found.push(...page);
      if (page && (page.length < limit || fitting(found).length < found.length)) break;
      if (!page) limit = Math.ceil(limit / SHRINK);
    }
    return fitting(found.slice(0, MAX_REQUESTS)).reverse();
  }

  /** Null when the bodies are too large together; those of a single request never are. */
  private async page(query: PageQuery, caller: Caller): Promise<RecordedRequest[] | null> {
    const input = { ...query, include_body: true, sort: '-id' };
    const reading: Promise<Page<RecordedRequest>> = this.bus.call(requests.endpoints.listRequests, input, caller);
    return reading.then(
      ({ data }) => data,
      (error: unknown) => {
        const isTooLarge = error instanceof ApiError && error.extras.details?.some(({ field }) => field === 'limit');
        if (isTooLarge && query.limit > 1) return null;
        throw error;
      },
    );
  }
}

/** Characters reserved for all but the bodies of requests. */
const MAX_FACTS = 65_536;

/** The newest requests that fit into the argument of a script, in which the newest one appears twice. */
function fitting(found: readonly RecordedRequest[]): RecordedRequest[] {
  let left = MAX_ARGUMENT_LENGTH - MAX_FACTS;
  return found.filter(({ params, response, metadata }, at) => {
    left -= JSON.stringify([params, response, metadata]).length * (at === 0 ? 2 : 1);
    return at === 0 || left >= 0;
  });
}
