import { createClient, type NewWebhook, type Signalbox, type Task } from '@signalbox/sdk';
import type { DemoContext } from '../context.js';
import { whileAllowed } from '../permission.js';
import { type DeliveredEvent, startEventReceiver } from './event-receiver.js';

const EVENT = 'agent_task.completed';
const DESCRIPTION = 'Created by npm run demo';

async function openWebhook(api: Signalbox, url: string): Promise<NewWebhook> {
  const all = await api.webhooks.list({ limit: 100 }).all();
  const known = all.find(({ description, enabled }) => description === DESCRIPTION && !enabled);
  if (!known) return api.webhooks.create({ url, events: [EVENT], description: DESCRIPTION });
  const webhook_id = known.id;
  const webhook = await api.webhooks.rotateSecret({ webhook_id });
  await api.webhooks.update({ webhook_id, url, enabled: true });
  return webhook;
}

/** Returns the tasks and whether every event came with its signature. */
export async function whileReported(
  { api, baseUrl, key, natsUrl, step }: DemoContext,
  companyId: number,
  work: () => Promise<Task[]>,
): Promise<{ tasks: Task[]; reported: boolean }> {
  const receiver = await startEventReceiver();
  try {
    return await whileAllowed(natsUrl, companyId, receiver.place, async () => {
      const webhook = await step(
        'A webhook that reports each completed task to this demo',
        () => openWebhook(api, receiver.url),
        ({ id }) => `webhook ${id} calls ${receiver.url}`,
      );
      try {
        receiver.trust(webhook.secret ?? '');
        const tasks = await work();
        const events = await step(
          'What the webhook has delivered',
          () => receiver.eventsOf(tasks.map(({ id }) => id)),
          (delivered) => delivered.map(textOf).join(', '),
        );
        return { tasks, reported: events.length === tasks.length && events.every(({ isSigned }) => isSigned) };
      } finally {
        // Nobody listens after the demo, also when it was stopped; its deliveries can still be read.
        await createClient({ apiKey: key, baseUrl }).webhooks.update({ webhook_id: webhook.id, enabled: false });
      }
    });
  } finally {
    await receiver.close();
  }
}

const textOf = ({ event, resource, isSigned }: DeliveredEvent): string =>
  `${event} of task ${resource.id} (${isSigned ? 'its signature is right' : 'its signature is WRONG'})`;
