import { Module } from '@nestjs/common';
import { AlertEvaluation } from './alert-evaluation.worker.js';
import { MonitorAlertHandlers } from './alerts.handlers.js';
import { MonitorAlerts } from './alerts.repository.js';

@Module({
  controllers: [MonitorAlertHandlers],
  providers: [AlertEvaluation, MonitorAlerts],
  exports: [MonitorAlerts],
})
export class AlertsModule {}
