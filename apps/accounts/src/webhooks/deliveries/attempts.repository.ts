import { Injectable } from '@nestjs/common';
import { Database, NOW_MS } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import type { WebhookRow } from '../webhook.entity.js';
import { disabledAfter } from '../webhook.js';
import { Webhooks } from '../webhooks.repository.js';
import type { DeliveryRow } from './delivery.entity.js';
import { type AfterAttempt, type Attempt, isAccepted } from './delivery.js';

/** A pending delivery with what its webhook contributes. */
export type PendingDelivery = Pick<DeliveryRow, 'id' | 'webhook_id' | 'event' | 'attempt_count' | 'request_body'> &
  Pick<WebhookRow, 'url' | 'enabled' | 'deleted_at' | 'secret' | 'previous_secret' | 'previous_until'> & {
    /** Time left before the next attempt is due. */
    wait_ms: number;
  };

/**
 * The outcomes of attempts.
 *
 * SQL: a delivery and its webhook are read together and written under the fence of the job.
 */
@Injectable()
export class Attempts {
  constructor(
    private readonly db: Database,
    private readonly webhooks: Webhooks,
  ) {}

  /** The delivery of a job, null when it is not pending any more. */
  async pending(companyId: number, id: number): Promise<PendingDelivery | null> {
    const [row] = await this.db.select<PendingDelivery>(
      companyId,
      `SELECT r.* FROM s, LATERAL (
         SELECT t.id, t.webhook_id, t.event, t.attempt_count, t.request_body, w.url, w.enabled, w.deleted_at, w.secret,
           w.previous_secret, w.previous_until, GREATEST(0, COALESCE(t.next_attempt_at, 0) - ${NOW_MS}) AS wait_ms
         FROM accounts.webhook_deliveries t JOIN accounts.webhooks w ON w.company_id = t.company_id AND w.id = t.webhook_id
         WHERE t.company_id = s.company AND t.id = $2 AND t.status = 'PENDING' OFFSET 0) r`,
      [id],
    );
    return row ?? null;
  }

  /** Stores the outcome of an attempt; too many failed deliveries in a row disable the webhook. */
  async finish(job: Job, delivery: PendingDelivery, attempt: Attempt, after: AfterAttempt): Promise<void> {
    const { companyId } = job;
    await this.db.withCompany({ companyId }, async (tx) => {
      await tx.requireFence(job);
      await tx.query(
        `UPDATE accounts.webhook_deliveries SET status = $3, attempt_count = attempt_count + 1, last_status_code = $4,
           last_error = $5, response_excerpt = $6, duration_ms = $7, date_updated = ${NOW_MS},
           next_attempt_at = ${NOW_MS} + $8::bigint
         WHERE company_id = $1 AND id = $2`,
        [
          companyId,
          delivery.id,
          after.status,
          attempt.statusCode,
          attempt.error,
          attempt.excerpt,
          attempt.durationMs,
          after.delayMs,
        ],
      );
      const [webhook] = await tx.query<{ failed_in_row: number }>(
        `UPDATE accounts.webhooks SET last_delivery_at = ${NOW_MS},
           failed_in_row = CASE WHEN $3 THEN 0 ELSE failed_in_row + $4::int END
         WHERE company_id = $1 AND id = $2 RETURNING failed_in_row`,
        [companyId, delivery.webhook_id, isAccepted(attempt.statusCode), after.status === 'FAILED' ? 1 : 0],
      );
      const reason = disabledAfter(webhook?.failed_in_row ?? 0);
      if (reason !== null && delivery.enabled) await this.webhooks.disable(tx, delivery.webhook_id, reason);
    });
  }

  /** Ends a delivery that is not sent. */
  async giveUp(job: Job, id: number, reason: string): Promise<void> {
    await this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.query(
        `UPDATE accounts.webhook_deliveries SET status = 'FAILED', last_error = $3, next_attempt_at = NULL,
           date_updated = ${NOW_MS}
         WHERE company_id = $1 AND id = $2 AND status = 'PENDING'`,
        [job.companyId, id, reason],
      );
    });
  }
}
