import type { NewWebhook, Task } from '@signalbox/sdk';
import type { DemoContext } from '../context.js';
import { whileAllowed } from '../permission.js';
import { type DeliveredEvent, startEventReceiver } from './event-receiver.js';

const EVENT = 'agent_task.completed';

/** Runs tasks while a webhook reports each of them; returns the tasks and whether every event came with its signature. */
export async function whileReported(
  { api, natsUrl, step }: DemoContext,
  companyId: number,
  work: () => Promise<Task[]>,
): Promise<{ tasks: Task[]; reported: boolean }> {
  const receiver = await startEventReceiver();
  try {
    return await whileAllowed(natsUrl, companyId, receiver.place, async () => {
      const webhook = await step(
        'A webhook that reports each completed task to this demo',
        () => api.webhooks.create({ url: receiver.url, events: [EVENT], description: 'Created by npm run demo' }),
        ({ id }: NewWebhook) => `webhook ${id} calls ${receiver.url}`,
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
        await api.webhooks.delete({ webhook_id: webhook.id });
      }
    });
  } finally {
    await receiver.close();
  }
}

const textOf = ({ event, resource, isSigned }: DeliveredEvent): string =>
  `${event} of task ${resource.id} (${isSigned ? 'its signature is right' : 'its signature is WRONG'})`;
