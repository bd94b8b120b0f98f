import { Injectable } from '@nestjs/common';
import { TryLater, Works } from '@signalbox/bus';
import { ApiError } from '@signalbox/contracts';
import type { Job } from '@signalbox/platform';
import { PayloadOffload } from './payload-offload.js';
import { PAYLOAD_OFFLOAD_WORK } from '../request-records/index.js';

const STORE_DOWN_MS = 5000;

/** Moves large parts of recorded requests into the object store; retried while the store is down. */
@Injectable()
export class PayloadOffloadWorker {
  constructor(private readonly parts: PayloadOffload) {}

  /** After the last attempt the large parts stay in their row. */
  @Works(PAYLOAD_OFFLOAD_WORK)
  async move(job: Job): Promise<void> {
    try {
      await this.parts.move(job);
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'unavailable') throw new TryLater(STORE_DOWN_MS);
      throw error;
    }
  }
}
