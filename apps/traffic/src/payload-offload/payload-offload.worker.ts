import { Injectable } from '@nestjs/common';
import { JobHandler, TryLater } from '@signalbox/bus';
import { ApiError } from '@signalbox/contracts';
import type { Job } from '@signalbox/platform';
import { PayloadOffload } from './payload-offload.js';
import { trafficJobs } from '../jobs.js';

const STORE_DOWN_MS = 5000;

/** Retried while the object store is down. */
@Injectable()
export class PayloadOffloadWorker {
  constructor(private readonly parts: PayloadOffload) {}

  /** After the last attempt the large parts stay in their row. */
  @JobHandler(trafficJobs.offloadPayload)
  async move(job: Job): Promise<void> {
    try {
      await this.parts.move(job);
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'unavailable') throw new TryLater(STORE_DOWN_MS);
      throw error;
    }
  }
}
