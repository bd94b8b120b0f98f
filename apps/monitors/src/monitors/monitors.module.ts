import { Module } from '@nestjs/common';
import { EvaluationModule } from '@signalbox/conditions';
import { ConfigChecks } from './config-checks.js';
import { MonitorHandlers } from './monitors.handlers.js';
import { Monitors } from './monitors.repository.js';
import { MonitorTargets } from './targets.repository.js';

@Module({
  imports: [EvaluationModule],
  controllers: [MonitorHandlers],
  providers: [ConfigChecks, Monitors, MonitorTargets],
  exports: [ConfigChecks, Monitors, MonitorTargets],
})
export class MonitorsModule {}
