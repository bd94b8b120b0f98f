import { Inject, Injectable } from '@nestjs/common';
import { Every } from '@signalbox/bus';
import { Database } from '@signalbox/database';
import { forEachCompany, LOGGER, type Logger, requireComplete } from '@signalbox/platform';
import { COMPANY_IDS, DELETE_OLD_ENTRIES, SLICE } from './audit-retention.sql.js';

const DAY_MS = 86_400_000;
const FAILED = 'old entries of the audit log could not be deleted';

export class AuditRetentionDays {
  constructor(readonly days: number) {}
}

/**
 * SQL: the worker role may delete entries older than 30 days; they are found by an index, company by company, and
 * deleted in slices.
 */
@Injectable()
export class AuditRetention {
  constructor(
    private readonly db: Database,
    private readonly kept: AuditRetentionDays,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Every(DAY_MS, FAILED)
  async deleteOld(stop: AbortSignal): Promise<void> {
    const before = Date.now() - this.kept.days * DAY_MS;
    const companies = await this.db.asWorker<{ id: number }>(COMPANY_IDS);
    const ids = companies.map(({ id }) => id);
    const failures = await forEachCompany(ids, { logger: this.logger, stop, failed: FAILED }, async (companyId) => {
      const deleted = await this.deleteOf(companyId, before, stop);
      if (deleted > 0)
        this.logger.info({ company_id: companyId, deleted }, 'old entries of the audit log were deleted');
    });
    requireComplete(failures);
  }

  private async deleteOf(companyId: number, before: number, stop: AbortSignal): Promise<number> {
    let deleted = 0;
    for (let slice = SLICE; slice === SLICE && !stop.aborted; deleted += slice)
      slice = (await this.db.asWorker(DELETE_OLD_ENTRIES, [companyId, before])).length;
    return deleted;
  }
}
