import type { JsMsg } from '@nats-io/jetstream';
import type { EventEnvelope } from '@signalbox/contracts';
import { type InboxMessage, isTraceparent } from '@signalbox/platform';
import { eventsOfMessage, eventsWithFields, withFields } from './shared-events.js';

export class ConsumedEvent {
  failures = 0;
  /** How often this process returned it to the stream. */
  returns = 0;
  private key: string | undefined;

  constructor(
    readonly about: InboxMessage,
    /** The input of the effect; an Error when the message cannot be read. */
    readonly payload: unknown,
    readonly delivery: Delivery,
    /** Its place among the events of its message. */
    readonly index: number,
  ) {}

  /** The event as it is stored when it becomes a dead letter. */
  get text(): string {
    return this.delivery.textOf(this.about.messageId);
  }

  /** Events of one resource are applied in their order within a process. */
  get resource(): string {
    return (this.key ??= resourceOf(this.payload, this.about));
  }

  /** Its share of its message. */
  get bytes(): number {
    return this.delivery.message.data.length / this.delivery.events.length;
  }

  /** The `traceparent` of its publisher. */
  get traceparent(): string | undefined {
    return this.delivery.traceparent;
  }
}

/**
 * A fetched message. When each of its events has an outcome it is acknowledged, or returned to the stream if one of them
 * is to be delivered again.
 */
export class Delivery {
  /** The company in the subject; NaN when it names none. */
  readonly companyId: number;
  private parsed: ConsumedEvent[] | undefined;
  private done = 0;
  private skipped = false;
  private returning: { pauseMs: number; sent: ((pauseMs: number) => void)[] } | undefined;

  constructor(
    readonly message: JsMsg,
    private readonly consumer: string,
    /** Absent when the consumer reads all fields of an event. */
    private readonly fields?: readonly string[],
  ) {
    this.companyId = Number(message.subject.split('.')[1]);
  }

  /** Parsed on first use: most consumers skip most messages. */
  get events(): readonly ConsumedEvent[] {
    return (this.parsed ??= this.read());
  }

  get traceparent(): string | undefined {
    const traceparent = this.message.headers?.get('traceparent');
    return traceparent && isTraceparent(traceparent) ? traceparent : undefined;
  }

  /** Its place in the stream. */
  get seq(): number {
    return this.message.seq;
  }

  get isOver(): boolean {
    return this.skipped || (this.parsed !== undefined && this.done >= this.parsed.length);
  }

  finished(): void {
    this.done++;
    if (this.isOver) this.end();
  }

  /** Marks one of the events as to be delivered again, after the longest of such pauses; `sent` runs when it begins. */
  returned(pauseMs: number, sent: (pauseMs: number) => void): void {
    const { returning } = this;
    this.returning = {
      pauseMs: Math.max(pauseMs, returning?.pauseMs ?? 0),
      sent: [...(returning?.sent ?? []), sent],
    };
    this.finished();
  }

  /** Acknowledges the message without reading it. */
  skip(): void {
    this.skipped = true;
    this.message.ack();
  }

  /** The whole text of one of the events; only dead letters need it. */
  textOf(messageId: string): string {
    const text = this.message.string();
    const event = eventsOfMessage(parsed(text))?.find(({ event_id }) => event_id === messageId);
    return event ? JSON.stringify(event) : text;
  }

  private end(): void {
    if (!this.returning) return this.message.ack();
    const { pauseMs, sent } = this.returning;
    this.message.nak(pauseMs);
    for (const each of sent) each(pauseMs);
  }

  /** The events of the message: as a rule one, or several that were written together. */
  private read(): ConsumedEvent[] {
    const { consumer, companyId, fields } = this;
    const { subject, headers, info, seq } = this.message;
    const payload = parsed(this.message.string());
    const about = (messageId: string): InboxMessage => ({ consumer, messageId, companyId, subject });
    const events = fields ? eventsWithFields(payload, fields) : eventsOfMessage(payload);
    if (events) return events.map((each, index) => new ConsumedEvent(about(each.event_id), each, this, index));
    const id = headers?.get('Nats-Msg-Id') || `${info.stream}:${seq}`;
    const one = fields && isEvent(payload) ? withFields(payload, fields) : payload;
    return [new ConsumedEvent(about(id), one, this, 0)];
  }
}

const isEvent = (payload: unknown): payload is EventEnvelope =>
  typeof payload === 'object' &&
  payload !== null &&
  'data' in payload &&
  typeof payload.data === 'object' &&
  payload.data !== null;

/** A message as JSON; the error when it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}

const resourceOf = (payload: unknown, about: InboxMessage): string => {
  const { resource, resource_type, resource_id } = (payload ?? {}) as {
    resource?: { type?: unknown; id?: unknown };
    resource_type?: unknown;
    resource_id?: unknown;
  };
  const type = resource?.type ?? resource_type;
  const id = resource?.id ?? resource_id;
  return type === undefined || id === undefined
    ? about.messageId
    : JSON.stringify([about.companyId, String(type), String(id)]);
};
