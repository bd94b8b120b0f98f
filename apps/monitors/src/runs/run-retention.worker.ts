import { Inject, Injectable } from '@nestjs/common';
import { Every } from '@signalbox/bus';
import { CompanyProfiles } from '@signalbox/clients';
import { Database } from '@signalbox/database';
import { forEachCompany, LOGGER, type Logger, requireComplete } from '@signalbox/platform';
import { COMPANIES_WITH_MONITORS, DELETE_OLD_COSTS, DELETE_OLD_RUNS, SLICE } from './run-retention.sql.js';

const DAY_MS = 86_400_000;
const FAILED = 'old monitor runs could not be deleted';

/**
 * Deletes runs and daily costs beyond the retention of their company. SQL: runs are deleted in slices in the order of
 * their time, which an index gives.
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
    // Monitors are few compared with their runs, and a deleted one keeps its row.
    const companies = await this.db.asWorker<{ company_id: number }>(COMPANIES_WITH_MONITORS);
    const ids = companies.map(({ company_id }) => company_id);
    const failures = await forEachCompany(ids, { logger: this.logger, stop, failed: FAILED }, async (companyId) => {
      const { settings } = await this.profiles.ofCompany(companyId);
      const days = settings.retention_days.monitor_runs;
      if (days !== null) await this.deleteOlder(companyId, Date.now() - days * DAY_MS, stop);
    });
    requireComplete(failures);
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

  /** Starts at `from`, so that rows deleted by former slices are not scanned again. */
  private deleteSlice(companyId: number, from: number, before: number): Promise<Slice> {
    return this.db.withCompany({ companyId }, async (tx) => {
      const [slice] = await tx.query<{ deleted: number; newest: number }>(DELETE_OLD_RUNS, [companyId, from, before]);
      const deleted = slice?.deleted ?? 0;
      return { deleted, next: slice && deleted === SLICE ? slice.newest : null };
    });
  }
}

/** `next` is where the following slice begins; null after the last. */
interface Slice {
  deleted: number;
  next: number | null;
}
