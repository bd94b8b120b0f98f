import { Inject, Injectable } from '@nestjs/common';
import { Every } from '@signalbox/bus';
import { Database } from '@signalbox/database';
import { forEachCompany, LOGGER, type Logger } from '@signalbox/platform';
import { COMPANIES_WITH_CHANGES } from './rollup-folds.sql.js';
import { Rollups } from './rollups.repository.js';

const EVERY_MS = 5000;
const FAILED = 'rollups could not be updated';

/** Keeps the rollups up to date in the background, so that a read of analytics has little left to fold. */
@Injectable()
export class RollupFolds {
  constructor(
    private readonly db: Database,
    private readonly rollups: Rollups,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Every(EVERY_MS, FAILED)
  async fold(stop: AbortSignal): Promise<void> {
    const companies = await this.db.asWorker<{ company_id: number }>(COMPANIES_WITH_CHANGES);
    const ids = companies.map(({ company_id }) => company_id);
    await forEachCompany(ids, { logger: this.logger, stop, failed: FAILED }, (id) => this.rollups.fold(id));
  }
}
