import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type Caller,
  conflict,
  type EventEnvelope,
  type JsonText,
  notFound,
  type Page,
  type WebhookDelivery,
} from '@signalbox/contracts';
import { Database, type ListOptions, type Tx } from '@signalbox/database';
import { MAX_PENDING, TOO_MANY_WAIT } from '../webhook.js';
import { Webhooks } from '../webhooks.repository.js';
import { TEST_EVENT } from './delivery.js';
import { deliveriesOf, type NewDelivery } from './new-deliveries.js';
import { accountJobs } from '../../jobs.js';
import { COUNT_PENDING, DELETE_OLD, SLICE, view, listView, INSERT_DELIVERIES } from './deliveries.sql.js';

/** Of one statement: a company may have many webhooks for many events at once. */
const ADDED_TOGETHER = 1000;

/** SQL: deliveries are added in bulk and pruned in slices by the worker role. */
@Injectable()
export class Deliveries {
  constructor(
    private readonly db: Database,
    private readonly webhooks: Webhooks,
  ) {}

  async list(caller: Caller, webhookId: number, options: ListOptions): Promise<JsonText<Page<WebhookDelivery>>> {
    await this.webhooks.get(caller.companyId, webhookId);
    return this.db.list(listView, caller.companyId, options);
  }

  async get(caller: Caller, webhookId: number, id: number): Promise<JsonText<WebhookDelivery>> {
    await this.webhooks.get(caller.companyId, webhookId);
    const found = await this.db.readOne<WebhookDelivery>(view, caller.companyId, id);
    if (!found || (JSON.parse(found.text) as WebhookDelivery).webhook_id !== webhookId) throw notFound('delivery');
    return found;
  }

  /** An event that is consumed again adds no second delivery. */
  async addFor(tx: Tx, events: readonly EventEnvelope[]): Promise<void> {
    const subscriptions = await this.webhooks.subscriptions(tx);
    if (subscriptions.length === 0) return;
    const added = deliveriesOf(events, subscriptions);
    if (added.length === 0) return;
    for (let at = 0; at < added.length; at += ADDED_TOGETHER)
      await this.insert(tx, added.slice(at, at + ADDED_TOGETHER));
    for (const id of new Set(added.map(({ webhookId }) => webhookId)))
      if (await this.isOverfull(tx, id)) await this.webhooks.disable(tx, id, TOO_MANY_WAIT);
  }

  addTest(caller: Caller, webhookId: number): Promise<JsonText<WebhookDelivery>> {
    return this.db.withCompany(caller, async (tx) => {
      const { before } = await this.webhooks.lock(tx, webhookId);
      await this.requireRoom(tx, webhookId);
      const { id, url, events } = JSON.parse(before.text) as { id: number; url: string; events: string[] };
      const event: EventEnvelope = {
        event_id: randomUUID(),
        event: TEST_EVENT,
        company_id: caller.companyId,
        occurred_at: Date.now(),
        resource: { type: 'webhook', id },
        data: { id, url, events },
      };
      return this.addOne(tx, { webhookId, event });
    });
  }

  replay(caller: Caller, webhookId: number, id: number): Promise<JsonText<WebhookDelivery>> {
    return this.db.withCompany(caller, async (tx) => {
      const { row: webhook } = await this.webhooks.lock(tx, webhookId);
      const found = await tx.read<WebhookDelivery>(view, id);
      const delivery = found && (JSON.parse(found.text) as WebhookDelivery);
      if (delivery?.webhook_id !== webhookId) throw notFound('delivery');
      if (!webhook.enabled && delivery.event !== TEST_EVENT) throw conflict(`webhook ${webhookId} is disabled`);
      await this.requireRoom(tx, webhookId);
      return this.addOne(tx, { webhookId, event: delivery.request_body as EventEnvelope }, id);
    });
  }

  /** Deletes old finished deliveries of all companies. */
  async prune(): Promise<void> {
    while ((await this.db.asWorker(DELETE_OLD)).length === SLICE);
  }

  private async addOne(tx: Tx, delivery: NewDelivery, replayOf?: number): Promise<JsonText<WebhookDelivery>> {
    const [id = 0] = await this.insert(tx, [delivery], replayOf);
    const added = await tx.read<WebhookDelivery>(view, id);
    if (!added) throw notFound('delivery');
    return added;
  }

  private async insert(tx: Tx, added: readonly NewDelivery[], replayOf?: number): Promise<number[]> {
    const rows = await tx.query<{ id: number }>(INSERT_DELIVERIES, [
      tx.companyId,
      added.map(({ webhookId }) => webhookId),
      added.map(({ event }) => event.event_id),
      added.map(({ event }) => event.event),
      added.map(({ event }) => JSON.stringify(event)),
      replayOf ?? null,
    ]);
    for (const { id } of rows) tx.addJob(accountJobs.deliverWebhook, { deliveryId: id });
    return rows.map(({ id }) => id);
  }

  /** Throws 409. */
  private async requireRoom(tx: Tx, webhookId: number): Promise<void> {
    if (await this.isOverfull(tx, webhookId))
      throw conflict(`more than ${MAX_PENDING} deliveries of webhook ${webhookId} wait`);
  }

  private async isOverfull(tx: Tx, webhookId: number): Promise<boolean> {
    const [row] = await tx.query<{ waiting: number }>(COUNT_PENDING, [tx.companyId, webhookId]);
    return (row?.waiting ?? 0) > MAX_PENDING;
  }
}
