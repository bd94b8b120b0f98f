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
import {
  arrayParameter,
  Database,
  type ListOptions,
  NOW_MS,
  STATEMENT_MS,
  type Tx,
  type View,
} from '@signalbox/database';
import { MAX_PENDING, TOO_MANY_WAIT } from '../webhook.js';
import { Webhooks } from '../webhooks.repository.js';
import { KEPT_DAYS, TEST_EVENT } from './delivery.js';
import { deliveriesOf, type NewDelivery } from './new-deliveries.js';
import { accountJobs } from '../../jobs.js';

/** A list of a hundred deliveries stays below a megabyte. */
const LISTED_BYTES = 8192;
const SLICE = 5000;
const DAY_MS = 86_400_000;

const COLUMNS = [
  'id',
  'webhook_id',
  'event_id',
  'event',
  'status',
  'attempt_count',
  'next_attempt_at',
  'last_status_code',
  'last_error',
  'response_excerpt',
  'duration_ms',
  'replay_of',
  'date_created',
  'date_updated',
];
const view: View = {
  resource: 'delivery',
  table: 'accounts.webhook_deliveries',
  columns: COLUMNS,
  computed: { request_body: 't.request_body::json' },
  alive: 'true',
};
const listView: View = {
  ...view,
  computed: {
    request_body: `CASE WHEN octet_length(t.request_body) <= ${LISTED_BYTES} THEN t.request_body::json END`,
  },
  sort: { next_attempt_at: 't.next_attempt_at', duration_ms: 't.duration_ms' },
};

const INSERT = `INSERT INTO accounts.webhook_deliveries
    (company_id, webhook_id, event_id, event, status, next_attempt_at, request_body, replay_of)
  SELECT $1::int, u.webhook_id, u.event_id::uuid, u.event, 'PENDING', ${NOW_MS}, u.body, $6::int
  FROM unnest($2::int[], $3::text[], $4::text[], $5::text[]) u(webhook_id, event_id, event, body)
  ON CONFLICT (company_id, webhook_id, event_id) WHERE replay_of IS NULL DO NOTHING RETURNING id`;

/**
 * Rows of deliveries, each with a job that sends it.
 *
 * SQL: deliveries are added in bulk and pruned in slices by the worker role.
 */
@Injectable()
export class Deliveries {
  constructor(
    private readonly db: Database,
    private readonly webhooks: Webhooks,
  ) {}

  async list(caller: Caller, webhookId: number, options: ListOptions): Promise<JsonText<Page<WebhookDelivery>>> {
    await this.webhooks.get(caller.companyId, webhookId);
    const filters = [...(options.filters ?? []), { sql: 't.webhook_id = ?', value: webhookId }];
    return this.db.list(listView, caller.companyId, { ...options, filters });
  }

  async get(caller: Caller, webhookId: number, id: number): Promise<JsonText<WebhookDelivery>> {
    await this.webhooks.get(caller.companyId, webhookId);
    const found = await this.db.readOne<WebhookDelivery>(view, caller.companyId, id);
    if (!found || (JSON.parse(found.text) as WebhookDelivery).webhook_id !== webhookId) throw notFound('delivery');
    return found;
  }

  /** Adds the deliveries of events; one that an event has already is not added again. */
  async addFor(tx: Tx, events: readonly EventEnvelope[]): Promise<void> {
    const subscriptions = await this.webhooks.subscriptions(tx);
    if (subscriptions.length === 0) return;
    const added = deliveriesOf(events, subscriptions);
    if (added.length === 0) return;
    await this.insert(tx, added);
    for (const id of new Set(added.map(({ webhookId }) => webhookId)))
      if (await this.isOverfull(tx, id)) await this.webhooks.disable(tx, id, TOO_MANY_WAIT);
  }

  /** Adds a delivery of `webhook.test`. */
  addTest(caller: Caller, webhookId: number): Promise<JsonText<WebhookDelivery>> {
    return this.db.withCompany(caller, async (tx) => {
      const { before } = await this.webhooks.lock(tx, webhookId);
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

  /** Adds a delivery of the same event. */
  replay(caller: Caller, webhookId: number, id: number): Promise<JsonText<WebhookDelivery>> {
    return this.db.withCompany(caller, async (tx) => {
      const { row: webhook } = await this.webhooks.lock(tx, webhookId);
      const found = await tx.read<WebhookDelivery>(view, id);
      const delivery = found && (JSON.parse(found.text) as WebhookDelivery);
      if (delivery?.webhook_id !== webhookId) throw notFound('delivery');
      if (!webhook.enabled && delivery.event !== TEST_EVENT) throw conflict(`webhook ${webhookId} is disabled`);
      return this.addOne(tx, { webhookId, event: delivery.request_body as EventEnvelope }, id);
    });
  }

  /** Deletes finished deliveries past their age, of all companies. */
  async prune(): Promise<void> {
    const text = `DELETE FROM accounts.webhook_deliveries WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM accounts.webhook_deliveries
        WHERE date_created < ${STATEMENT_MS} - ${KEPT_DAYS * DAY_MS}::bigint AND status <> 'PENDING' LIMIT ${SLICE}))
      RETURNING 1`;
    while ((await this.db.asWorker(text)).length === SLICE);
  }

  private async addOne(tx: Tx, delivery: NewDelivery, replayOf?: number): Promise<JsonText<WebhookDelivery>> {
    const [id = 0] = await this.insert(tx, [delivery], replayOf);
    const added = await tx.read<WebhookDelivery>(view, id);
    if (!added) throw notFound('delivery');
    return added;
  }

  private async insert(tx: Tx, added: readonly NewDelivery[], replayOf?: number): Promise<number[]> {
    const texts = (of: (delivery: NewDelivery) => string) => arrayParameter('text', added.map(of));
    const rows = await tx.query<{ id: number }>(INSERT, [
      tx.companyId,
      arrayParameter(
        'int',
        added.map(({ webhookId }) => webhookId),
      ),
      texts(({ event }) => event.event_id),
      texts(({ event }) => event.event),
      texts(({ event }) => JSON.stringify(event)),
      replayOf ?? null,
    ]);
    for (const { id } of rows) tx.addJob(accountJobs.deliverWebhook, { deliveryId: id });
    return rows.map(({ id }) => id);
  }

  private async isOverfull(tx: Tx, webhookId: number): Promise<boolean> {
    const [row] = await tx.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM (SELECT 1 FROM accounts.webhook_deliveries
         WHERE company_id = $1 AND webhook_id = $2 AND status = 'PENDING' LIMIT ${MAX_PENDING + 1}) p`,
      [tx.companyId, webhookId],
    );
    return (row?.waiting ?? 0) > MAX_PENDING;
  }
}
