import { Injectable } from '@nestjs/common';
import { eventsOfMessage, EventStream, STREAM } from '@signalbox/bus';
import { type EventEnvelope, eventSubject, invalidField, type StreamEvent } from '@signalbox/contracts';
import { matchesEvent, subjectsOf } from './event-patterns.js';
import { endOf, firstYoung, nextMessage, positionOf } from './event-position.js';

const REPLAYED_MS = 86_400_000;
/** Limits of one part; the next one continues where it ends. */
const MAX_EVENTS = 100;
const MAX_BYTES = 524_288;
const MAX_MESSAGES = 400;

interface Part {
  events: StreamEvent[];
  position: number;
}

interface Stored {
  seq: number;
  time: Date;
  events: EventEnvelope[];
  bytes: number;
}

type Streams = Awaited<ReturnType<EventStream['jsm']>>['streams'];

@Injectable()
export class EventLog {
  constructor(private readonly stream: EventStream) {}

  /**
   * The selected events after a position, and the position up to which the stream was read; without a position, its
   * end. A position above the end, as after a loss of the stream, is a 400.
   */
  async after(companyId: number, patterns: readonly string[], position: number | undefined): Promise<Part> {
    const { streams } = await this.stream.jsm();
    const subject = subjectOf(companyId, patterns);
    if (position !== undefined) {
      const message = nextMessage(position);
      const found = await find(streams, { seq: message, next_by_subj: subject });
      // The usual case, which needs neither the beginning nor the end of the stream.
      if (found && isYoung(found))
        return this.read(streams, subject, patterns, { position, message, end: position, found });
    }
    const { state } = await streams.info(STREAM);
    const end = endOf(state.last_seq);
    if (position === undefined) return { events: [], position: end };
    if (position > end) throw invalidField('last_event_id', 'is above the id of the last event');
    const first = await this.firstToRead(streams, Math.max(nextMessage(position), state.first_seq), state.last_seq);
    return this.read(streams, subject, patterns, { position, message: first, end });
  }

  private async read(
    streams: Streams,
    subject: string,
    patterns: readonly string[],
    from: { position: number; message: number; end: number; found?: Stored },
  ): Promise<Part> {
    const part: Part = { events: [], position: from.position };
    let bytes = 0;
    let next = from.message;
    for (let count = 0; count < MAX_MESSAGES; count++) {
      const isFirst = count === 0;
      const message = (isFirst && from.found) || (await find(streams, { seq: next, next_by_subj: subject }));
      if (!message) return { ...part, position: Math.max(part.position, from.end) };
      for (const [place, event] of message.events.entries()) {
        const position = positionOf(message.seq, place);
        if (position <= from.position || !matchesEvent(patterns, event.event)) continue;
        part.events.push(frameOf(position, event));
        part.position = position;
        if (part.events.length >= MAX_EVENTS) return part;
      }
      part.position = endOf(message.seq);
      bytes += message.bytes;
      if (bytes >= MAX_BYTES) return part;
      next = message.seq + 1;
    }
    return part;
  }

  private firstToRead(streams: Streams, seq: number, last: number): Promise<number> {
    return firstYoung(seq, last, async (at) => {
      const message = await find(streams, { seq: at });
      return message !== null && !isYoung(message);
    });
  }
}

const isYoung = ({ time }: Stored): boolean => time.getTime() >= Date.now() - REPLAYED_MS;

function subjectOf(companyId: number, patterns: readonly string[]): string {
  const [only, ...others] = subjectsOf(companyId, patterns);
  return only !== undefined && others.length === 0 ? only : eventSubject(companyId, '>');
}

async function find(streams: Streams, query: { seq: number; next_by_subj?: string }): Promise<Stored | null> {
  // The server can search by subject; the client's type lacks it.
  const message = await streams.getMessage(STREAM, query);
  if (!message) return null;
  const payload: unknown = readJson(message.string());
  const events = eventsOfMessage(payload) ?? (payload === null ? [] : [payload as EventEnvelope]);
  return { seq: message.seq, time: message.time, events, bytes: message.data.length };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

const frameOf = (seq: number, event: EventEnvelope): StreamEvent => ({
  seq,
  type: event.event,
  data: { timestamp: event.occurred_at, ...event },
});
