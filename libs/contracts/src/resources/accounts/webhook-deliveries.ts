import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import { oneOfType, stringType } from '../../fields/field-types.js';
import { Count, Epoch, Id, Int, join, Json, List, Nullable, OneOf, Optional, Str, Uuid } from '../../fields/fields.js';
import { TimedListQuery } from '../../shapes.js';

export const DELIVERY_STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export class WebhookPath {
  @Id() webhook_id!: number;
}
class DeliveryPath extends WebhookPath {
  @Id() delivery_id!: number;
}

/** One event on its way to a webhook, with the outcome of the last attempt. */
export class WebhookDelivery {
  @Id() id!: number;
  @Id() webhook_id!: number;
  /** The event; equal in every delivery and replay of it. */
  @Uuid() event_id!: string;
  @Str() event!: string;
  @OneOf(DELIVERY_STATUSES) status!: DeliveryStatus;
  @Count() attempt_count!: number;
  @Epoch() @Nullable() next_attempt_at!: number | null;
  @Int(0, 999) @Nullable() last_status_code!: number | null;
  @Str() @Nullable() last_error!: string | null;
  /** The envelope as it is sent; null in lists when it has more than 8 KiB. */
  @Json() @Nullable() request_body!: unknown;
  @Str(0, 2048) response_excerpt!: string;
  @Count() @Nullable() duration_ms!: number | null;
  /** The delivery that this one repeats. */
  @Id() @Nullable() replay_of!: number | null;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

class ListDeliveries extends join(TimedListQuery, WebhookPath) {
  @List(oneOfType(DELIVERY_STATUSES), 1) @Optional() status?: DeliveryStatus[];
  @List(stringType(1, 100), 1, 50) @Optional() event?: string[];
}

/** The log of the deliveries of a webhook, kept for 30 days (docs/api/events.md). */
export const webhookDeliveries = defineContract(
  { name: 'webhook-deliveries', service: 'accounts', tag: 'Webhooks' },
  {
    listDeliveries: {
      get: '/webhooks/{webhook_id}/deliveries',
      summary: 'List the deliveries of a webhook',
      input: ListDeliveries,
      output: page(WebhookDelivery),
    },
    getDelivery: {
      get: '/webhooks/{webhook_id}/deliveries/{delivery_id}',
      summary: 'Get a delivery',
      input: DeliveryPath,
      output: WebhookDelivery,
    },
    replayDelivery: {
      post: '/webhooks/{webhook_id}/deliveries/{delivery_id}/replay',
      summary: 'Deliver an event again, as a separate delivery',
      errors: ['conflict'],
      scope: 'admin',
      input: DeliveryPath,
      output: WebhookDelivery,
    },
  },
);
