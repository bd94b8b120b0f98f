import { Injectable } from '@nestjs/common';
import { Every } from '@signalbox/bus';
import { Database } from '@signalbox/database';
import { MonitorAlerts } from './alerts.repository.js';

const SWEEP_MS = 30_000;

/** Resolves alerts whose condition has ended because time has passed: runs leave the window of their rule. */
@Injectable()
export class AlertSweep {
  constructor(
    private readonly db: Database,
    private readonly alerts: MonitorAlerts,
  ) {}

  @Every(SWEEP_MS, 'open alerts could not be checked')
  async sweep(stop: AbortSignal): Promise<void> {
    for (const { company_id: companyId, monitor_ids } of await this.alerts.unresolved()) {
      if (stop.aborted) return;
      await this.db.withCompany({ companyId }, (tx) => this.alerts.evaluate(tx, monitor_ids));
    }
  }
}
