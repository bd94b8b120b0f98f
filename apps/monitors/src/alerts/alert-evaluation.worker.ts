import { Injectable } from '@nestjs/common';
import { Every, JobHandler, type JobWith } from '@signalbox/bus';
import { Database } from '@signalbox/database';
import { monitorJobs } from '../jobs.js';
import { MonitorAlerts } from './alerts.repository.js';

const SWEEP_MS = 30_000;

/**
 * Evaluates the alert rules of monitors: after new outcomes, as one job for each monitor however many there are, and at
 * an interval, because runs leave the window of a rule.
 */
@Injectable()
export class AlertEvaluation {
  constructor(
    private readonly db: Database,
    private readonly alerts: MonitorAlerts,
  ) {}

  @JobHandler(monitorJobs.evaluateAlerts, { concurrency: 2 })
  async evaluate(job: JobWith<{ monitorId: number }>): Promise<void> {
    await this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.requireFence(job);
      await this.alerts.evaluate(tx, [job.payload.monitorId]);
    });
  }

  @Every(SWEEP_MS, 'open alerts could not be checked')
  async sweep(stop: AbortSignal): Promise<void> {
    for (const { company_id: companyId, monitor_ids } of await this.alerts.unresolved()) {
      if (stop.aborted) return;
      await this.db.withCompany({ companyId }, (tx) => this.alerts.evaluate(tx, monitor_ids));
    }
  }
}
