import { Inject, Injectable } from '@nestjs/common';
import { CompanyProfiles, Every } from '@signalbox/bus';
import { Database } from '@signalbox/database';
import { LOGGER, type Logger } from '@signalbox/platform';

const DAY_MS = 86_400_000;
const BATCH = 1000;

/** Deletes runs of monitors that are older than their company keeps them, once a day and when the process starts. */
@Injectable()
export class RunRetention {
  constructor(
    private readonly db: Database,
    private readonly profiles: CompanyProfiles,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Every(DAY_MS, 'old monitor runs could not be deleted')
  async deleteOld(stop: AbortSignal): Promise<void> {
    const companies = await this.db.asWorker<{ company_id: number }>(
      `SELECT DISTINCT company_id FROM monitors.monitor_runs WHERE date_created < $1`,
      [Date.now() - DAY_MS],
    );
    for (const { company_id } of companies) {
      if (stop.aborted) return;
      const days = await this.daysOf(company_id);
      if (days !== null) await this.deleteOlder(company_id, Date.now() - days * DAY_MS, stop);
    }
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
    for (let deleted = BATCH; deleted === BATCH && !stop.aborted;)
      deleted = await this.db.withCompany({ companyId }, async (tx) => {
        const gone = await tx.query(
          `DELETE FROM monitors.monitor_runs WHERE company_id = $1 AND id IN (SELECT id FROM monitors.monitor_runs
             WHERE company_id = $1 AND date_created < $2 AND outcome IS NOT NULL ORDER BY date_created LIMIT ${BATCH}) RETURNING 1`,
          [companyId, before],
        );
        return gone.length;
      });
  }
}
