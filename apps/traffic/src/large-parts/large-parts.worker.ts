import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { BusConnection, TryLater, WorkLoop } from '@signalbox/bus';
import { ApiError } from '@signalbox/contracts';
import { FenceLost } from '@signalbox/database';
import { type Job, LOGGER, type Logger, WORK, type WorkStore } from '@signalbox/platform';
import { LARGE_PARTS_WORK, LargeParts } from './large-parts.js';

const AT_ONCE = 2;
const STORE_DOWN_MS = 5000;

/** Moves large parts of recorded requests into the object store, as soon as there is one. */
@Injectable()
export class LargePartsWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: WorkLoop;

  constructor(
    private readonly parts: LargeParts,
    @Inject(LOGGER) logger: Logger,
    @Inject(WORK) store: WorkStore,
    connection: BusConnection,
  ) {
    const exhausted = ({ companyId, ref }: Job, error: unknown): Promise<void> => {
      logger.error({ error, company_id: companyId, ref }, 'large parts of a request stay in its row');
      return Promise.resolve();
    };
    const run = (job: Job): Promise<void> => this.move(job);
    this.loop = new WorkLoop(store, connection, logger, {
      kind: LARGE_PARTS_WORK,
      concurrency: AT_ONCE,
      run,
      exhausted,
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  private async move(job: Job): Promise<void> {
    try {
      await this.parts.move(job);
    } catch (error) {
      if (error instanceof FenceLost) return;
      if (error instanceof ApiError && error.kind === 'unavailable') throw new TryLater(STORE_DOWN_MS);
      throw error;
    }
  }
}
