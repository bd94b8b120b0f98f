import { Inject, Injectable } from '@nestjs/common';
import { Every } from '@signalbox/bus';
import { CompanyProfiles } from '@signalbox/clients';
import { Database } from '@signalbox/database';
import { forEachCompany, LOGGER, type Logger } from '@signalbox/platform';
import { COMPANIES_WITH_MONITORS, DELETE_OLD_COSTS, DELETE_OLD_RUNS, SLICE } from './run-retention.sql.js';

const DAY_MS = 86_400_000;
const FAILED = 'old monitor runs could not be deleted';

/**
 * Deletes runs of monitors, and what monitors cost a day, that are older than their company keeps them, once a day and when
 * the process starts.
 *
 * SQL: runs are deleted in slices in the order of their time, which an index gives.
 */
@Injectable()
export class RunRetention {
  constructor(
    private readonly db: Database,
    private readonly profiles: CompanyProfiles,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Every(DAY_MS, FAILED)
  async deleteOld(stop: AbortSignal): Promise<void> {
    // Monitors are few where their runs are many, and a deleted one keeps its row.
    const companies = await this.db.asWorker<{ company_id: number }>(COMPANIES_WITH_MONITORS);
    const ids = companies.map(({ company_id }) => company_id);
    await forEachCompany(ids, { logger: this.logger, stop, failed: FAILED }, async (companyId) => {
      const days = await this.daysOf(companyId);
      if (days !== null) await this.deleteOlder(companyId, Date.now() - days * DAY_MS, stop);
    });
  }

  /** A company whose settings cannot be read keeps everything until the next pass. */
  private async daysOf(companyId: number): Promise<number | null> {
    try {
      return (await this.profiles.ofCompany(companyId)).settings.retention_days.monitor_runs;
    } catch (error) {
      this.logger.warn({ error, company_id: companyId }, 'the retention of a company is not known');
      return null;
    }
  }

  private async deleteOlder(companyId: number, before: number, stop: AbortSignal): Promise<void> {
    let deleted = 0;
    for (let from: number | null = 0; from !== null && !stop.aborted;) {
      const slice: Slice = await this.deleteSlice(companyId, from, before);
      deleted += slice.deleted;
      from = slice.next;
    }
    await this.db.withCompany({ companyId }, (tx) => tx.query(DELETE_OLD_COSTS, [companyId, before - DAY_MS]));
    if (deleted > 0) this.logger.info({ company_id: companyId, deleted }, 'old monitor runs were deleted');
  }

  /** Deletes the oldest runs from a time on; a slice does not read again where the former ones have deleted. */
  private deleteSlice(companyId: number, from: number, before: number): Promise<Slice> {
    return this.db.withCompany({ companyId }, async (tx) => {
      const [slice] = await tx.query<{ deleted: number; newest: number }>(DELETE_OLD_RUNS, [companyId, from, before]);
      const deleted = slice?.deleted ?? 0;
      return { deleted, next: slice && deleted === SLICE ? slice.newest : null };
    });
  }
}

/** The result of one slice; `next` is where the following one begins, null after the last. */
interface Slice {
  deleted: number;
  next: number | null;
}
