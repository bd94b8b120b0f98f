import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { type BusConnection, WorkLoop } from '@signalbox/bus';
import { FenceLost } from '@signalbox/database';
import type { Job, Logger, WorkStore } from '@signalbox/platform';

const AT_ONCE = 2;

/** The work of a worker, and what the log says of a job that is given up. */
export interface JobWork {
  kind: string;
  leaseMs?: number;
  givenUp: string;
}

/**
 * Does small work in the background, two jobs at once, for as long as the process lives. A job that was taken over by
 * another process is left to it; one that fails again and again leaves everything as it is.
 */
export abstract class JobWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: WorkLoop;

  protected constructor(logger: Logger, store: WorkStore, connection: BusConnection, { givenUp, ...work }: JobWork) {
    this.loop = new WorkLoop(store, connection, logger, {
      ...work,
      concurrency: AT_ONCE,
      run: (job) => this.unlessTaken(job),
      exhausted: ({ companyId, ref }, error) => {
        logger.error({ error, company_id: companyId, ref }, givenUp);
        return Promise.resolve();
      },
    });
  }

  /** Does one job; may run again after a crash. */
  protected abstract run(job: Job): Promise<void>;

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  private async unlessTaken(job: Job): Promise<void> {
    try {
      await this.run(job);
    } catch (error) {
      if (!(error instanceof FenceLost)) throw error;
    }
  }
}
