import { webhooks } from '@signalbox/contracts';
import type { Case } from './case.js';
import type { ConformanceFixtures } from '../fixtures.js';

/** A name that never resolves: deliveries fail without leaving the machine. */
const URL = 'https://webhooks.invalid/hook';

const newWebhook = (fixtures: ConformanceFixtures) =>
  fixtures.call(webhooks.endpoints.createWebhook, { url: URL, events: ['tag.deleted'] });
const webhook: Case = async (fixtures) => ({
  webhook_id: await fixtures.idOf(fixtures.once('webhook', () => newWebhook(fixtures))),
});
const delivery: Case = async (fixtures) => {
  const input = await webhook(fixtures);
  const made = await fixtures.once('delivery', () => fixtures.call(webhooks.endpoints.testWebhook, input));
  return { ...input, delivery_id: made.id };
};

export const WEBHOOK_CASES: Readonly<Record<string, Case>> = {
  'event-feed.streamEvents': () => ({ events: ['agent.*', 'tag.created'] }),
  'webhooks.listWebhooks': () => ({ limit: 2, enabled: true }),
  'webhooks.createWebhook': () => ({ url: URL, events: ['agent.*', 'tag.created'], description: 'to the chat' }),
  'webhooks.listEventTypes': () => ({}),
  'webhooks.getWebhook': webhook,
  'webhooks.updateWebhook': async (fixtures) => ({ ...(await webhook(fixtures)), description: null }),
  'webhooks.deleteWebhook': async (fixtures) => ({ webhook_id: await fixtures.idOf(newWebhook(fixtures)) }),
  'webhooks.rotateWebhookSecret': webhook,
  'webhooks.testWebhook': webhook,
  'webhook-deliveries.listDeliveries': async (fixtures) => {
    await delivery(fixtures);
    return { ...(await webhook(fixtures)), status: ['PENDING', 'FAILED'] };
  },
  'webhook-deliveries.getDelivery': delivery,
  'webhook-deliveries.replayDelivery': delivery,
};
