import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, webhooks } from '@signalbox/contracts';
import { Deliveries } from './deliveries/deliveries.repository.js';
import { EVENT_TYPES, requireKnownPatterns } from '../events/index.js';
import { updateWebhook } from './webhook.js';
import { WebhookTargets } from './webhook-targets.js';
import { Webhooks } from './webhooks.repository.js';

type C = typeof webhooks;

@Serves(webhooks)
export class WebhookHandlers implements Handlers<C> {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly deliveries: Deliveries,
    private readonly targets: WebhookTargets,
  ) {}

  listWebhooks({ input, caller }: CallTo<C, 'listWebhooks'>) {
    return this.webhooks.listBy(caller.companyId, input);
  }

  async createWebhook({ input, caller }: CallTo<C, 'createWebhook'>) {
    requireKnownPatterns(input.events);
    await this.targets.requireAllowed(caller.companyId, input.url);
    const { url, events, description = null, enabled } = input;
    return this.webhooks.add(caller, { url, events, description, enabled });
  }

  listEventTypes(_call: CallTo<C, 'listEventTypes'>) {
    return Promise.resolve([...EVENT_TYPES]);
  }

  getWebhook({ input, caller }: CallTo<C, 'getWebhook'>) {
    return this.webhooks.get(caller.companyId, input.webhook_id);
  }

  async updateWebhook({ input: { webhook_id, ...change }, caller }: CallTo<C, 'updateWebhook'>) {
    if (change.events) requireKnownPatterns(change.events);
    if (change.url !== undefined) await this.targets.requireAllowed(caller.companyId, change.url);
    return this.webhooks.change(caller, webhook_id, () => updateWebhook(change));
  }

  deleteWebhook({ input, caller }: CallTo<C, 'deleteWebhook'>) {
    return this.webhooks.remove(caller, input.webhook_id, () => ({}));
  }

  rotateWebhookSecret({ input, caller }: CallTo<C, 'rotateWebhookSecret'>) {
    return this.webhooks.rotate(caller, input.webhook_id);
  }

  testWebhook({ input, caller }: CallTo<C, 'testWebhook'>) {
    return this.deliveries.addTest(caller, input.webhook_id);
  }
}
