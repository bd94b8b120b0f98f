import { Injectable } from '@nestjs/common';
import { Every } from '@signalbox/bus';
import { Database } from '@signalbox/database';
import { COMPANIES_WITH_CHANGES } from './rollup-folds.sql.js';
import { Rollups } from './rollups.repository.js';

const EVERY_MS = 5000;

/** Folds recorded requests into the rollups; a read of analytics folds those of the company first. */
@Injectable()
export class RollupFolds {
  constructor(
    private readonly db: Database,
    private readonly rollups: Rollups,
  ) {}

  @Every(EVERY_MS, 'rollups could not be updated')
  async fold(stop: AbortSignal): Promise<void> {
    const companies = await this.db.asWorker<{ company_id: number }>(COMPANIES_WITH_CHANGES);
    for (const { company_id } of companies) if (!stop.aborted) await this.rollups.fold(company_id);
  }
}
