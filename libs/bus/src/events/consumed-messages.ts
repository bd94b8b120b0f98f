import type { JsMsg } from '@nats-io/jetstream';
import { eventsOfMessage } from '@signalbox/contracts';
import { type InboxMessage, isTraceparent } from '@signalbox/platform';

/** One event of a message, as its consumer sees it. */
export interface ConsumedEvent {
  about: InboxMessage;
  /** The input of the effect; an Error when the message cannot be read. */
  payload: unknown;
  /** The event as it is stored when it becomes a dead letter. */
  readonly text: string;
  /** Events of one resource are applied in their order. */
  resource: string;
  /** The `traceparent` of its publisher. */
  traceparent: string | undefined;
  failures: number;
  delivery: Delivery;
}

/** A fetched message, acknowledged when each of its events is applied or a dead letter. */
export class Delivery {
  /** The company in the subject; NaN when it names none. */
  readonly companyId: number;
  private parsed: ConsumedEvent[] | undefined;
  private done = 0;
  private skipped = false;

  constructor(
    readonly message: JsMsg,
    private readonly consumer: string,
  ) {
    this.companyId = Number(message.subject.split('.')[1]);
  }

  /** Parsed on first use: most consumers skip most messages. */
  get events(): readonly ConsumedEvent[] {
    return (this.parsed ??= eventsOf(this, this.message, this.consumer));
  }

  get isOver(): boolean {
    return this.skipped || (this.parsed !== undefined && this.done >= this.parsed.length);
  }

  /** Marks one of the events as finished. */
  finished(): void {
    this.done++;
    if (this.isOver) this.message.ack();
  }

  /** Acknowledges the message without reading it. */
  skip(): void {
    this.skipped = true;
    this.message.ack();
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

/** The events of a message: as a rule one, or several that were written together. */
function eventsOf(delivery: Delivery, message: JsMsg, consumer: string): ConsumedEvent[] {
  const text = message.string();
  const { subject } = message;
  const traceparent = message.headers?.get('traceparent');
  const about: InboxMessage = {
    consumer,
    messageId: message.headers?.get('Nats-Msg-Id') || `${message.info.stream}:${message.seq}`,
    companyId: delivery.companyId,
    subject,
  };
  const event = (of: InboxMessage, payload: unknown, stored: () => string): ConsumedEvent => ({
    about: of,
    payload,
    // Only a dead letter needs it.
    get text() {
      return stored();
    },
    resource: resourceOf(payload, of),
    traceparent: traceparent && isTraceparent(traceparent) ? traceparent : undefined,
    failures: 0,
    delivery,
  });
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch (error) {
    payload = error;
  }
  const events = eventsOfMessage(payload);
  return events
    ? events.map((each) => event({ ...about, messageId: each.event_id }, each, () => JSON.stringify(each)))
    : [event(about, payload, () => text)];
}
