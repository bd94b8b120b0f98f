import type { JsMsg } from '@nats-io/jetstream';
import type { EventEnvelope } from '@signalbox/contracts';
import { type InboxMessage, isTraceparent } from '@signalbox/platform';
import { eventsOfMessage, eventsWithFields, withFields } from './shared-events.js';

export class ConsumedEvent {
  failures = 0;
  returns = 0;
  /** The record of an attempt that began alone and has not ended as far as is stored; null when there are too many. */
  begun: string | null | undefined;
  private key: string | undefined;

  constructor(
    readonly about: InboxMessage,
    /** An Error when the message cannot be read. */
    readonly payload: unknown,
    readonly delivery: Delivery,
    readonly index: number,
  ) {}

  get text(): string {
    return this.delivery.textOf(this.about.messageId);
  }

  /** Events of one resource are applied in order within a process. */
  get resource(): string {
    return (this.key ??= resourceOf(this.payload, this.about));
  }

  get bytes(): number {
    return this.delivery.message.data.length / this.delivery.events.length;
  }

  get traceparent(): string | undefined {
    return this.delivery.traceparent;
  }
}

/**
 * Acknowledged when each of its events has an outcome, or returned to the stream when one of them is to be delivered
 * again.
 */
export class Delivery {
  /** NaN when the subject names none. */
  readonly companyId: number;
  private parsed: ConsumedEvent[] | undefined;
  private done = 0;
  private skipped = false;
  private returning: { pauseMs: number; sent: ((pauseMs: number) => void)[] } | undefined;

  constructor(
    readonly message: JsMsg,
    private readonly consumer: string,
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

  /** The message waits for the longest pause of its events; `sent` runs when that begins. */
  returned(pauseMs: number, sent: (pauseMs: number) => void): void {
    const { returning } = this;
    this.returning = {
      pauseMs: Math.max(pauseMs, returning?.pauseMs ?? 0),
      sent: [...(returning?.sent ?? []), sent],
    };
    this.finished();
  }

  skip(): void {
    this.skipped = true;
    this.message.ack();
  }

  /** Only dead letters need the whole text. */
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
