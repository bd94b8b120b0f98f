import { Inject, Injectable } from '@nestjs/common';
import { Every, JobHandler, type JobWith } from '@signalbox/bus';
import { Database } from '@signalbox/database';
import { forEachCompany, LOGGER, type Logger } from '@signalbox/platform';
import { monitorJobs } from '../jobs.js';
import { MonitorAlerts } from './alerts.repository.js';

const SWEEP_MS = 30_000;
const FAILED = 'open alerts could not be checked';

/** Rules are evaluated after new outcomes, in one job per monitor, and regularly, because runs leave the window. */
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
    const rows = await this.alerts.unresolved();
    const open = new Map(rows.map(({ company_id, monitor_ids }) => [company_id, monitor_ids]));
    await forEachCompany(open.keys(), { logger: this.logger, stop, failed: FAILED }, (companyId) =>
      this.db.withCompany({ companyId }, (tx) => this.alerts.evaluate(tx, open.get(companyId) ?? [])),
    );
  }
}
