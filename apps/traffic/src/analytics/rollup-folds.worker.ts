import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import { LOGGER, type Logger } from '@signalbox/platform';
import { IntervalJob } from '../work/interval-job.js';
import { Rollups } from './rollups.repository.js';

const FOLDS = { everyMs: 5000, failed: 'figures could not be brought up to date' };

/** Adds to the figures what was recorded, every few seconds; whoever reads figures does so for his company at once. */
@Injectable()
export class RollupFolds extends IntervalJob {
  constructor(
    private readonly db: Database,
    private readonly rollups: Rollups,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, FOLDS);
  }

  protected override async pass(stop: AbortSignal): Promise<void> {
    const companies = await this.db.asWorker<{ company_id: number }>(
      'SELECT DISTINCT company_id FROM traffic.rollup_changes',
    );
    for (const { company_id } of companies) if (!stop.aborted) await this.rollups.fold(company_id);
  }
}
