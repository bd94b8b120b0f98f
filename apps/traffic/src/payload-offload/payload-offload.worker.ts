import { Inject, Injectable } from '@nestjs/common';
import { BusConnection, TryLater } from '@signalbox/bus';
import { ApiError } from '@signalbox/contracts';
import { type Job, LOGGER, type Logger, WORK, type WorkStore } from '@signalbox/platform';
import { JobWorker } from '../work/job-worker.js';
import { PayloadOffload } from './payload-offload.js';
import { PAYLOAD_OFFLOAD_WORK } from './planned-moves.js';

const STORE_DOWN_MS = 5000;
const WORK_OF_PARTS = { kind: PAYLOAD_OFFLOAD_WORK, givenUp: 'large parts of a request stay in its row' };

/** Moves large parts of recorded requests into the object store, as soon as there is one. */
@Injectable()
export class PayloadOffloadWorker extends JobWorker {
  constructor(
    private readonly parts: PayloadOffload,
    @Inject(LOGGER) logger: Logger,
    @Inject(WORK) store: WorkStore,
    connection: BusConnection,
  ) {
    super(logger, store, connection, WORK_OF_PARTS);
  }

  protected override async run(job: Job): Promise<void> {
    try {
      await this.parts.move(job);
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'unavailable') throw new TryLater(STORE_DOWN_MS);
      throw error;
    }
  }
}
