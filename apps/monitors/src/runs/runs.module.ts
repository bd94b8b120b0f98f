import { Module } from '@nestjs/common';
import { CompanyProfiles } from '@signalbox/clients';
import { BudgetsModule } from '../budgets/index.js';
import { JudgingModule } from '../judging/index.js';
import { MonitorsModule } from '../monitors/index.js';
import { RunRetention } from './run-retention.worker.js';
import { RunRetry } from './run-retry.js';
import { MonitorRunHandlers } from './runs.handlers.js';
import { Runs } from './runs.repository.js';

@Module({
  imports: [BudgetsModule, JudgingModule, MonitorsModule],
  controllers: [MonitorRunHandlers],
  providers: [CompanyProfiles, RunRetention, RunRetry, Runs],
})
export class RunsModule {}
