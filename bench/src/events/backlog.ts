import { randomUUID } from 'node:crypto';
import { type EventStream } from '@signalbox/bus';

/** The events that a consumer is to apply. */
export interface ConsumeQuestion {
  events: number;
}

/** How long they took from the first to the last, and how many were applied never or twice. */
export interface ConsumeAnswer {
  seconds: number;
  errors: number;
}

/** Events that wait in a stream: how many, how many in one message, for how many companies. */
export interface Backlog {
  events: number;
  perMessage: number;
  companies: readonly number[];
}

/** Messages published at once. */
const WINDOW = 500;

/** Publishes events, those of one message for one company, and waits until the stream has stored all. */
export async function publishBacklog(
  stream: EventStream,
  { events, perMessage, companies }: Backlog,
  subject: (companyId: number) => string,
  body: (companyId: number, at: number) => object,
): Promise<void> {
  const messages = Math.ceil(events / perMessage);
  for (let first = 0; first < messages; first += WINDOW)
    await Promise.all(
      Array.from({ length: Math.min(WINDOW, messages - first) }, (_, index) => {
        const at = (first + index) * perMessage;
        const companyId = companies[(first + index) % companies.length] ?? 1;
        const all = Array.from({ length: Math.min(perMessage, events - at) }, (_each, offset) => ({
          event_id: randomUUID(),
          ...body(companyId, at + offset),
        }));
        const payload = JSON.stringify(perMessage === 1 ? all[0] : all);
        return stream.js.publish(subject(companyId), payload, { msgID: all[0]?.event_id ?? '' });
      }),
    );
}
