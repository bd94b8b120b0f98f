import type { EventEnvelope } from '@signalbox/contracts';
import { matchesEvent } from '../../events/index.js';

/** Tolerated difference between the clocks that date events and webhooks. */
const CLOCKS_MS = 1000;

interface Subscriber {
  id: number;
  events: string[];
  date_created: number;
}

export interface NewDelivery {
  webhookId: number;
  event: EventEnvelope;
}

/**
 * Skips events older than the webhook: after a loss of the stream's store, those of the last day are consumed again.
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
