import { defineContract } from '../../contract.js';
import { list, page } from '../../contract/outputs.js';
import { stringType } from '../../fields/field-types.js';
import {
  Default,
  Epoch,
  Flag,
  Id,
  join,
  List,
  Nullable,
  Optional,
  partial,
  ShownOnce,
  Str,
} from '../../fields/fields.js';
import { Deleted, EmptyInput, ListQuery } from '../../shapes.js';
import { WebhookDelivery, WebhookPath } from './webhook-deliveries.js';

const eventsType = stringType(1, 100);

/** A subscription of a company to its lifecycle events, delivered by HTTP. */
export class Webhook {
  @Id() id!: number;
  @Str(1, 2000) url!: string;
  @List(eventsType, 1, 50) events!: string[];
  @Str() @Nullable() description!: string | null;
  @Flag() enabled!: boolean;
  /** Why the platform has disabled it; null otherwise. */
  @Str() @Nullable() disabled_reason!: string | null;
  @Str(0, 4) secret_last4!: string;
  @Epoch() @Nullable() last_delivery_at!: number | null;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

/** A webhook with the secret that signs its deliveries, the only response that shows it. */
export class NewWebhook extends Webhook {
  @Str() @ShownOnce() @Nullable() secret!: string | null;
}

class WebhookBody {
  @Str(1, 2000) url!: string;
  /** Exact names, `family.*` or `*`. */
  @List(eventsType, 1, 50) events!: string[];
  @Str() @Nullable() @Optional() description?: string | null;
  @Flag() @Default(true) enabled!: boolean;
}
class ListWebhooks extends ListQuery {
  @Flag() @Optional() enabled?: boolean;
}

/** A kind of event that webhooks and event streams can subscribe to. */
export class EventType {
  @Str() event!: string;
  @Str() description!: string;
  @List(stringType(0, 100)) data_fields!: string[];
}

/** Webhooks of the company (docs/api/events.md). */
export const webhooks = defineContract(
  { name: 'webhooks', service: 'accounts', tag: 'Webhooks' },
  {
    listWebhooks: { get: '/webhooks', summary: 'List the webhooks', input: ListWebhooks, output: page(Webhook) },
    createWebhook: {
      post: '/webhooks',
      errors: ['conflict'],
      summary: 'Create a webhook',
      scope: 'admin',
      input: WebhookBody,
      output: NewWebhook,
    },
    listEventTypes: {
      get: '/webhooks/event-types',
      summary: 'List the kinds of events',
      input: EmptyInput,
      output: list(EventType),
    },
    getWebhook: { get: '/webhooks/{webhook_id}', summary: 'Get a webhook', input: WebhookPath, output: Webhook },
    updateWebhook: {
      put: '/webhooks/{webhook_id}',
      summary: 'Change a webhook; enabling it clears the reason for which it was disabled',
      scope: 'admin',
      input: join(WebhookPath, partial(WebhookBody)),
      output: Webhook,
    },
    deleteWebhook: {
      delete: '/webhooks/{webhook_id}',
      summary: 'Delete a webhook',
      scope: 'admin',
      input: WebhookPath,
      output: Deleted,
    },
    rotateWebhookSecret: {
      post: '/webhooks/{webhook_id}/rotate-secret',
      summary: 'Replace the secret; for 24 hours both secrets sign',
      scope: 'admin',
      input: WebhookPath,
      output: NewWebhook,
    },
    testWebhook: {
      post: '/webhooks/{webhook_id}/test',
      summary: 'Send the event webhook.test, whether the webhook is enabled or not',
      errors: ['conflict'],
      scope: 'admin',
      input: WebhookPath,
      output: WebhookDelivery,
    },
  },
);
