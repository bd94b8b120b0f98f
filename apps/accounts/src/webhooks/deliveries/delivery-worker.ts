import { Injectable } from '@nestjs/common';
import { Every, JobHandler, type JobWith, TryLater } from '@signalbox/bus';
import { accountJobs } from '../../jobs.js';
import { Attempts, type PendingDelivery } from './attempts.repository.js';
import { Deliveries } from './deliveries.repository.js';
import { DeliverySender } from './delivery-sender.js';
import { afterAttempt, type Attempt, skipReason } from './delivery.js';
import { PER_COMPANY, WebhookTurns } from './webhook-turns.js';

const PRUNE_EVERY_MS = 3_600_000;
/** A slow target holds a slot for up to ten seconds, so one company must not use all slots. */
const SLOTS = { concurrency: 32, perCompany: PER_COMPANY };

type DeliveryJob = JobWith<{ deliveryId: number }>;

/** Sends each delivery at least once, until the target accepts it or the attempts are used up. */
@Injectable()
export class DeliveryWorker {
  private readonly turns = new WebhookTurns();

  constructor(
    private readonly attempts: Attempts,
    private readonly sender: DeliverySender,
    private readonly deliveries: Deliveries,
  ) {}

  @JobHandler(accountJobs.deliverWebhook, { ...SLOTS, onExhausted: 'giveUp' })
  async deliver(job: DeliveryJob, signal: AbortSignal): Promise<void> {
    const delivery = await this.attempts.pending(job.companyId, job.payload.deliveryId);
    if (!delivery) return;
    // The previous worker died before it rescheduled the job.
    if (delivery.wait_ms > 0) throw new TryLater(delivery.wait_ms);
    const obstacle = skipReason(delivery.event, delivery);
    if (obstacle !== null) return this.attempts.giveUp(job, delivery.id, obstacle);
    const attempt = await this.attempt(job.companyId, delivery, signal);
    const after = afterAttempt(delivery.attempt_count + 1, attempt);
    await this.attempts.finish(job, delivery, attempt, after);
    if (after.delayMs !== null) throw new TryLater(after.delayMs);
  }

  private async attempt(companyId: number, delivery: PendingDelivery, signal: AbortSignal): Promise<Attempt> {
    const delayMs = this.turns.begin(companyId, delivery.webhook_id);
    if (delayMs !== null) throw new TryLater(delayMs);
    const began = performance.now();
    try {
      return await this.sender.send(companyId, delivery, signal);
    } finally {
      this.turns.end(companyId, delivery.webhook_id, performance.now() - began);
    }
  }

  async giveUp(job: DeliveryJob): Promise<void> {
    await this.attempts.giveUp(job, job.payload.deliveryId, 'the delivery failed inside the platform');
  }

  @Every(PRUNE_EVERY_MS, 'old deliveries of webhooks could not be deleted')
  async prune(): Promise<void> {
    await this.deliveries.prune();
  }
}
