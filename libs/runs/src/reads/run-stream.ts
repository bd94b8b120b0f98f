import { invalidField, type StreamEvent, type StreamPart } from '@signalbox/contracts';
import { AutoResetEvent } from './run-waits.js';
import type { RunNotifications } from '../events/run-notifications.js';
import type { StreamSubscribers } from '../events/stream-subscribers.js';
import type { LockedRun } from '../run-kind.js';
import type { RunReads, RunState } from './run-reads.repository.js';

const PART = 1000;
const FOLLOWED_PART = 200;
/** Finds events whose notification was lost. */
const POLL_MS = 1500;

/** Stored events first, then new ones as they are committed. */
export class RunStream<Run extends LockedRun> {
  constructor(
    private readonly reads: RunReads<Run>,
    private readonly notifications: RunNotifications,
    private readonly subscribers: StreamSubscribers,
  ) {}

  /** The events after `last`; the gateway requests one part at a time. */
  async part(companyId: number, id: string, last: number, { ended, last_seq }: RunState): Promise<StreamPart> {
    if (last > last_seq) throw invalidField('last_event_id', `must not be above ${last_seq}, the last event`);
    if (!ended) this.subscribers.addSubscriber(id);
    const events = await this.reads.eventsAfter(companyId, id, last, PART);
    const complete = (events.at(-1)?.seq ?? last) >= last_seq;
    return { events, ended: ended && complete, subject: this.notifications.subjectOf(id) };
  }

  async *follow(companyId: number, id: string, until: number, signal: AbortSignal): AsyncGenerator<StreamEvent> {
    const bell = new AutoResetEvent();
    const stop = this.notifications.onEvent(id, () => bell.set());
    signal.addEventListener('abort', () => bell.set(), { once: true });
    try {
      for (let seq = 0; !signal.aborted && Date.now() < until;) {
        this.subscribers.addSubscriber(id);
        const events = await this.reads.eventsAfter(companyId, id, seq, FOLLOWED_PART);
        for (const event of events) {
          seq = event.seq;
          yield event;
          if (this.notifications.isEnd(event.type)) return;
        }
        if (events.length === 0) await bell.wait(Math.min(POLL_MS, until - Date.now()));
      }
    } finally {
      stop();
    }
  }
}
