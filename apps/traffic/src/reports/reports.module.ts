import { Module } from '@nestjs/common';
import { AnalyticsModule } from '../analytics/index.js';
import { FallbackRates } from './fallback-rates.js';
import { FallbackReports } from './fallback-reports.repository.js';
import { FaultReports } from './fault-reports.repository.js';
import { ReportHandlers } from './reports.handlers.js';

@Module({
  imports: [AnalyticsModule],
  controllers: [ReportHandlers],
  providers: [FallbackRates, FallbackReports, FaultReports],
})
export class ReportsModule {}
