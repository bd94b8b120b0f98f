import { Module } from '@nestjs/common';
import { BudgetsModule } from '../budgets/index.js';
import { JudgingModule } from '../judging/index.js';
import { MonitorsModule } from '../monitors/index.js';
import { VersionsModule } from '../versions/index.js';
import { CheckItems } from './check-items.repository.js';
import { CheckJudging } from './check-judging.worker.js';
import { CheckedSets } from './checked-sets.js';
import { MonitorCheckHandlers } from './checks.handlers.js';
import { MonitorChecks } from './checks.repository.js';

@Module({
  imports: [BudgetsModule, JudgingModule, MonitorsModule, VersionsModule],
  controllers: [MonitorCheckHandlers],
  providers: [CheckedSets, CheckItems, CheckJudging, MonitorChecks],
  exports: [MonitorChecks],
})
export class ChecksModule {}
