import { type Consumed, Consumer, type MessageFilter, Serves } from '@signalbox/bus';
import {
  accountConsumers,
  type CallTo,
  type EventEnvelope,
  type Handlers,
  webhookDeliveries,
} from '@signalbox/contracts';
import { filtersOf, type Tx } from '@signalbox/database';
import { matchesEvent } from '../../events/index.js';
import { Webhooks } from '../webhooks.repository.js';
import { Deliveries } from './deliveries.repository.js';
import { listView } from './deliveries.sql.js';

type C = typeof webhookDeliveries;

@Serves(webhookDeliveries)
export class DeliveryHandlers implements Handlers<C> {
  constructor(
    private readonly deliveries: Deliveries,
    private readonly webhooks: Webhooks,
  ) {}

  listDeliveries({ input, caller }: CallTo<C, 'listDeliveries'>) {
    return this.deliveries.list(caller, input.webhook_id, { ...input, filters: filtersOf(listView, input) });
  }

  getDelivery({ input, caller }: CallTo<C, 'getDelivery'>) {
    return this.deliveries.get(caller, input.webhook_id, input.delivery_id);
  }

  replayDelivery({ input, caller }: CallTo<C, 'replayDelivery'>) {
    return this.deliveries.replay(caller, input.webhook_id, input.delivery_id);
  }

  async selectSubscribed(companyIds: readonly number[]): Promise<MessageFilter> {
    const patterns = await this.webhooks.patternsOf(companyIds);
    return (companyId, event) => matchesEvent(patterns.get(companyId) ?? [], event);
  }

  // Deliveries are unique per event and webhook anyway.
  @Consumer(accountConsumers.webhookEvents, { batch: true, filter: 'selectSubscribed', deduplicate: false })
  async deliver(events: Consumed<EventEnvelope>[], tx: Tx): Promise<void> {
    await this.deliveries.addFor(
      tx,
      events.map(({ payload }) => payload),
    );
  }
}
