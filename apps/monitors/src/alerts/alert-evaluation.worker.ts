import { Inject, Injectable } from '@nestjs/common';
import { Every, JobHandler, type JobWith } from '@signalbox/bus';
import { Database } from '@signalbox/database';
import { forEachCompany, LOGGER, type Logger } from '@signalbox/platform';
import { monitorJobs } from '../jobs.js';
import { MonitorAlerts } from './alerts.repository.js';

const SWEEP_MS = 30_000;
const FAILED = 'the rules of alerts could not be evaluated';

/**
 * Rules are evaluated after new outcomes and changes of rules, in one job per monitor, and regularly: runs that leave the
 * window change its rates, in both directions.
 */
@Injectable()
export class AlertEvaluation {
  constructor(
    private readonly db: Database,
    private readonly alerts: MonitorAlerts,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @JobHandler(monitorJobs.evaluateAlerts, { concurrency: 2 })
  async evaluate(job: JobWith<{ monitorId: number }>): Promise<void> {
    await this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.requireFence(job);
      await this.alerts.evaluate(tx, [job.payload.monitorId]);
    });
  }

  @Every(SWEEP_MS, FAILED)
  async sweep(stop: AbortSignal): Promise<void> {
    const companies = await this.alerts.companies();
    await forEachCompany(companies, { logger: this.logger, stop, failed: FAILED }, async (companyId) => {
      for (let above: number | null = 0; above !== null && !stop.aborted;)
        above = await this.alerts.evaluateNext(companyId, above);
    });
  }
}
