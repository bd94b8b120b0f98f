import type { EventEnvelope } from '@signalbox/contracts';
import { matchesEvent } from '../../events/index.js';

/** Tolerance between the clocks of the processes that emit and the clock that dates webhooks. */
const CLOCKS_MS = 1000;

interface Subscriber {
  id: number;
  events: string[];
  date_created: number;
}

/** A delivery to be added. */
export interface NewDelivery {
  webhookId: number;
  event: EventEnvelope;
}

/**
 * The deliveries that events cause. An event older than a webhook is not delivered to it: after a loss of the bus store
 * the events of the last day are consumed again.
 */
export const deliveriesOf = (events: readonly EventEnvelope[], subscribers: readonly Subscriber[]): NewDelivery[] =>
  events.flatMap((event) =>
    subscribers
      .filter(
        ({ events: patterns, date_created }) =>
          event.occurred_at >= date_created - CLOCKS_MS && matchesEvent(patterns, event.event),
      )
      .map(({ id }) => ({ webhookId: id, event })),
  );
