import { Injectable } from '@nestjs/common';
import { type Caller, type JsonText, type NewWebhook, type Webhook } from '@signalbox/contracts';
import { CompanyRepository, Database, requireFewer, type Tx } from '@signalbox/database';
import { newSecret, WebhookSeal } from './webhook-secrets.js';
import { WebhookRow } from './webhook.entity.js';
import { MAX_WEBHOOKS, ROTATION_MS } from './webhook.js';
import { COUNT_WEBHOOKS, ENABLED_WEBHOOKS, PATTERNS_OF_COMPANIES, KEEP_PREVIOUS_SECRET, view } from './webhooks.sql.js';

export type NewWebhookValues = Pick<WebhookRow, 'url' | 'events' | 'description' | 'enabled'>;

export type Subscription = Pick<WebhookRow, 'id' | 'events' | 'date_created'>;

/**
 * SQL: a rotation copies one sealed column to another, and subscriptions are read in bulk; those of several companies
 * by the worker role, which sees no URL and no secret.
 */
@Injectable()
export class Webhooks extends CompanyRepository<WebhookRow, Webhook> {
  constructor(
    db: Database,
    private readonly seal: WebhookSeal,
  ) {
    super(db, { entity: WebhookRow, view, type: 'webhook' });
  }

  /** The secret is only in the reply. 409 at the maximum number of webhooks; concurrent calls may exceed it. */
  add(caller: Caller, values: NewWebhookValues): Promise<NewWebhook> {
    return this.db.withCompany(caller, async (tx) => {
      const message = `there are at most ${MAX_WEBHOOKS} webhooks`;
      await requireFewer(tx, MAX_WEBHOOKS, { sql: COUNT_WEBHOOKS, values: [], message });
      const { secret, columns } = this.secretColumns(tx.companyId);
      const id = await this.insert(tx, { ...values, events: [...new Set(values.events)], ...columns });
      const record = recordOf(await tx.read<Webhook>(view, id));
      tx.audit({
        action: 'create',
        resource_type: 'webhook',
        resource_id: String(id),
        after: { ...record, secret: '[secret]' },
      });
      return { ...record, secret };
    });
  }

  /** The former secret also signs for a day. */
  rotate(caller: Caller, id: number): Promise<NewWebhook> {
    return this.db.withCompany(caller, async (tx) => {
      const { secret, columns } = this.secretColumns(tx.companyId);
      const decision = {
        set: { ...columns, previous_until: Date.now() + ROTATION_MS },
        action: 'secret_rotate',
        secrets: ['secret'],
      };
      const changed = await this.changeIn(
        tx,
        id,
        () => decision,
        () => keepSecret(tx, id),
      );
      return { ...recordOf(changed), secret };
    });
  }

  subscriptions(tx: Tx): Promise<Subscription[]> {
    return tx.query<Subscription>(ENABLED_WEBHOOKS, [tx.companyId]);
  }

  /** Patterns of enabled webhooks by company. */
  async patternsOf(companyIds: readonly number[]): Promise<Map<number, string[]>> {
    const rows = await this.db.asWorker<{ company_id: number; events: string[] }>(PATTERNS_OF_COMPANIES, [companyIds]);
    const patterns = new Map<number, string[]>();
    for (const { company_id, events } of rows)
      patterns.set(company_id, [...(patterns.get(company_id) ?? []), ...events]);
    return patterns;
  }

  /** `reason` is text of the platform. */
  async disable(tx: Tx, id: number, reason: string): Promise<void> {
    await this.changeIn(tx, id, ({ enabled }) =>
      enabled ? { set: { enabled: false, disabled_reason: reason }, action: 'disable', reason } : {},
    );
  }

  /** The secrets that sign at the time `now`, the current one first. */
  secretsOf(
    companyId: number,
    { secret, previous_secret, previous_until }: Pick<WebhookRow, 'secret' | 'previous_secret' | 'previous_until'>,
    now: number,
  ): string[] {
    const sealed = previous_secret && (previous_until ?? 0) > now ? [secret, previous_secret] : [secret];
    return sealed.map((each) => this.seal.open(companyId, each));
  }

  private secretColumns(companyId: number) {
    const secret = newSecret();
    return { secret, columns: { secret: this.seal.seal(companyId, secret), secret_last4: secret.slice(-4) } };
  }
}

const recordOf = (text: JsonText<Webhook> | null): Webhook => JSON.parse(text?.text ?? 'null') as Webhook;

const keepSecret = async (tx: Tx, id: number): Promise<void> =>
  void (await tx.query(KEEP_PREVIOUS_SECRET, [tx.companyId, id]));
