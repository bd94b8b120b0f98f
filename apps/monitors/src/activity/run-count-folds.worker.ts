import { Inject, Injectable } from '@nestjs/common';
import { Every } from '@signalbox/bus';
import { Database } from '@signalbox/database';
import { forEachCompany, LOGGER, type Logger } from '@signalbox/platform';
import { COMPANIES_WITH_CHANGES, DELETE_EMPTY_COUNTS, FOLD_CHANGES, HOLD_COUNTS, SLICE } from './run-counts.sql.js';

const EVERY_MS = 5000;
const FAILED = 'runs of monitors could not be counted';

/**
 * Adds what triggers have noted of changed runs to the counts of hours and days. Reads sum both up and do not wait for it.
 *
 * SQL: one statement moves the sums of many changes into the counts.
 */
@Injectable()
export class RunCountFolds {
  constructor(
    private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Every(EVERY_MS, FAILED)
  async fold(stop: AbortSignal): Promise<void> {
    const companies = await this.db.asWorker<{ company_id: number }>(COMPANIES_WITH_CHANGES);
    const ids = companies.map(({ company_id }) => company_id);
    await forEachCompany(ids, { logger: this.logger, stop, failed: FAILED }, async (companyId) => {
      while (!stop.aborted && (await this.foldSlice(companyId)));
    });
  }

  /** Returns whether there may be more; another process that folds the same company goes on with it. */
  private foldSlice(companyId: number): Promise<boolean> {
    return this.db.withCompany({ companyId }, async (tx) => {
      const [lock] = await tx.query<{ held: boolean }>(HOLD_COUNTS, [companyId]);
      if (!lock?.held) return false;
      const [slice] = await tx.query<{ taken: number }>(FOLD_CHANGES, [companyId]);
      await tx.query(DELETE_EMPTY_COUNTS, [companyId]);
      return slice?.taken === SLICE;
    });
  }
}
