import { Serves } from '@signalbox/bus';
import { type CallTo, eventFeed, eventSubject, type Handlers, type StreamPart } from '@signalbox/contracts';
import { EventLog } from './event-log.js';
import { requireKnownPatterns, subjectsOf } from './event-patterns.js';

type C = typeof eventFeed;

/** A stream that never ends by itself. */
@Serves(eventFeed)
export class EventFeedHandlers implements Handlers<C> {
  constructor(private readonly log: EventLog) {}

  async streamEvents({ input, caller }: CallTo<C, 'streamEvents'>): Promise<StreamPart> {
    const { events: patterns = ['*'], last_event_id } = input;
    requireKnownPatterns(patterns);
    const { events, position } = await this.log.after(caller.companyId, patterns, last_event_id);
    const subjects = subjectsOf(caller.companyId, patterns);
    return { events, position, ended: false, subject: eventSubject(caller.companyId, '>'), subjects };
  }
}
