import { webhookDeliveries, webhooks } from '@signalbox/contracts';
import type { ConformanceFixtures } from '../../conformance/fixtures.js';
import { eventually } from '../../platform/platform.js';
import { type Encoding, encodingsOf } from '../canaries.js';
import type { CanaryContext } from '../canary-cases.js';

export class CanaryWebhooks {
  readonly surprises: string[] = [];
  private webhookId = 0;
  private readonly secrets: string[] = [];

  constructor(
    private readonly context: CanaryContext,
    private readonly fixtures: ConformanceFixtures,
  ) {}

  /** Only the replies of these calls may contain the secret. */
  async start(): Promise<void> {
    const url = `${this.context.target.url}/webhook`;
    const made = await this.fixtures.call(webhooks.endpoints.createWebhook, { url, events: ['*'] });
    this.webhookId = Number(made.id);
    const rotated = await this.fixtures.call(webhooks.endpoints.rotateWebhookSecret, { webhook_id: this.webhookId });
    this.secrets.push(String(made.secret), String(rotated.secret));
  }

  async read(): Promise<void> {
    const { client } = this.context;
    const webhook_id = this.webhookId;
    await client.send(webhooks.endpoints.testWebhook, { webhook_id });
    const endpoint = webhookDeliveries.endpoints.listDeliveries;
    await eventually('a delivery has succeeded', async () => {
      const delivered = await client.get<unknown[]>(endpoint, { webhook_id, status: 'SUCCEEDED' });
      return delivered.length > 0;
    });
    for (let offset = 0; ; offset += 100) {
      const page = await client.get<unknown[]>(endpoint, { webhook_id, limit: 100, offset });
      if (page.length < 100) break;
    }
    for (const each of [webhooks.endpoints.listWebhooks, webhooks.endpoints.getWebhook])
      await client.send(each, { webhook_id });
    const received = this.context.target.calls.filter(({ path }) => path.startsWith('/webhook'));
    if (received.length < 10) this.surprises.push(`${received.length} events were delivered`);
  }

  encodings(): Encoding[] {
    return this.secrets.flatMap((secret) => encodingsOf(secret.slice(4)));
  }
}
