import { Injectable } from '@nestjs/common';
import { Every, GivesUp, TryLater, Works } from '@signalbox/bus';
import type { Job } from '@signalbox/platform';
import { Attempts } from './attempts.repository.js';
import { DELIVERY_WORK, Deliveries } from './deliveries.repository.js';
import { DeliverySender } from './delivery-sender.js';
import { afterAttempt, obstacleTo } from './delivery.js';

const PRUNE_EVERY_MS = 3_600_000;
/** A target that takes the whole ten seconds holds a slot, so slow targets of one company leave slots to others. */
const SLOTS = { concurrency: 32, perCompany: 8 };

/** Sends pending deliveries, each at least once, until the target accepts it or the attempts are used up. */
@Injectable()
export class DeliveryWorker {
  constructor(
    private readonly attempts: Attempts,
    private readonly sender: DeliverySender,
    private readonly deliveries: Deliveries,
  ) {}

  @Works(DELIVERY_WORK, SLOTS)
  async deliver(job: Job, signal: AbortSignal): Promise<void> {
    const delivery = await this.attempts.pending(job.companyId, Number(job.ref));
    if (!delivery) return;
    // The process that stored the last attempt went away before it postponed the job.
    if (delivery.wait_ms > 0) throw new TryLater(delivery.wait_ms);
    const obstacle = obstacleTo(delivery.event, delivery);
    if (obstacle !== null) return this.attempts.giveUp(job, delivery.id, obstacle);
    const attempt = await this.sender.send(job.companyId, delivery, signal);
    const after = afterAttempt(delivery.attempt_count + 1, attempt);
    await this.attempts.finish(job, delivery, attempt, after);
    if (after.delayMs !== null) throw new TryLater(after.delayMs);
  }

  @GivesUp(DELIVERY_WORK)
  async giveUp(job: Job): Promise<void> {
    await this.attempts.giveUp(job, Number(job.ref), 'the delivery failed inside the platform');
  }

  @Every(PRUNE_EVERY_MS, 'old deliveries of webhooks could not be deleted')
  async prune(): Promise<void> {
    await this.deliveries.prune();
  }
}
