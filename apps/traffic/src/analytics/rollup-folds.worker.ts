import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Database } from '@signalbox/database';
import { LOGGER, type Logger } from '@signalbox/platform';
import { Rollups } from './rollups.repository.js';

const EVERY_MS = 5000;

/** Adds to the figures what was recorded, every few seconds; whoever reads figures does so for his company at once. */
@Injectable()
export class RollupFolds implements OnModuleInit, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private stopping = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly db: Database,
    private readonly rollups: Rollups,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.wait();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private wait(): void {
    if (this.stopping) return;
    this.timer = setTimeout(() => {
      this.running = this.pass()
        .catch((error: unknown) => this.logger.warn({ error }, 'figures could not be brought up to date'))
        .finally(() => this.wait());
    }, EVERY_MS);
  }

  private async pass(): Promise<void> {
    const companies = await this.db.asWorker<{ company_id: number }>(
      'SELECT DISTINCT company_id FROM traffic.rollup_changes',
    );
    for (const { company_id } of companies) if (!this.stopping) await this.rollups.fold(company_id);
  }
}
