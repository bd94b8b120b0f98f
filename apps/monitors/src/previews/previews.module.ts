import { Module } from '@nestjs/common';
import { BudgetsModule } from '../budgets/index.js';
import { JudgingModule } from '../judging/index.js';
import { MonitorsModule } from '../monitors/index.js';
import { VersionsModule } from '../versions/index.js';
import { MonitorPreviewHandlers } from './previews.handlers.js';

@Module({
  imports: [BudgetsModule, JudgingModule, MonitorsModule, VersionsModule],
  controllers: [MonitorPreviewHandlers],
})
export class PreviewsModule {}
