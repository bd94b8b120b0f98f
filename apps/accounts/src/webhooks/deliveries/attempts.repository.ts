import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import type { WebhookRow } from '../webhook.entity.js';
import { disabledAfter } from '../webhook.js';
import { Webhooks } from '../webhooks.repository.js';
import type { DeliveryRow } from './delivery.entity.js';
import { type AfterAttempt, type Attempt, isAccepted } from './delivery.js';
import { PENDING_DELIVERY, STORE_ATTEMPT, COUNT_FAILURES, FAIL_DELIVERY } from './attempts.sql.js';

export type PendingDelivery = Pick<DeliveryRow, 'id' | 'webhook_id' | 'event' | 'attempt_count' | 'request_body'> &
  Pick<WebhookRow, 'url' | 'enabled' | 'deleted_at' | 'secret' | 'previous_secret' | 'previous_until'> & {
    /** Until the next attempt is due. */
    wait_ms: number;
  };

/** SQL: a delivery and its webhook are read together and written under the fence of the job. */
@Injectable()
export class Attempts {
  constructor(
    private readonly db: Database,
    private readonly webhooks: Webhooks,
  ) {}

  /** Null when the delivery is not pending any more. */
  async pending(companyId: number, id: number): Promise<PendingDelivery | null> {
    const [row] = await this.db.select<PendingDelivery>(companyId, PENDING_DELIVERY, [id]);
    return row ?? null;
  }

  /** Also disables the webhook after too many failed deliveries in a row. */
  async finish(job: Job, delivery: PendingDelivery, attempt: Attempt, after: AfterAttempt): Promise<void> {
    const { companyId } = job;
    await this.db.withCompany({ companyId }, async (tx) => {
      await tx.requireFence(job);
      await tx.query(STORE_ATTEMPT, [
        companyId,
        delivery.id,
        after.status,
        attempt.statusCode,
        attempt.error,
        attempt.excerpt,
        attempt.durationMs,
        after.delayMs,
      ]);
      const [webhook] = await tx.query<{ failed_in_row: number }>(COUNT_FAILURES, [
        companyId,
        delivery.webhook_id,
        isAccepted(attempt.statusCode),
        after.status === 'FAILED' ? 1 : 0,
      ]);
      const reason = disabledAfter(webhook?.failed_in_row ?? 0);
      if (reason !== null && delivery.enabled) await this.webhooks.disable(tx, delivery.webhook_id, reason);
    });
  }

  /** Fails a delivery without sending it. */
  async giveUp(job: Job, id: number, reason: string): Promise<void> {
    await this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.query(FAIL_DELIVERY, [job.companyId, id, reason]);
    });
  }
}
