import { Module } from '@nestjs/common';
import { MonitorsModule } from '../monitors/index.js';
import { MonitorActivityHandlers } from './activity.handlers.js';
import { ActivityCounts } from './activity.repository.js';
import { RunCountFolds } from './run-count-folds.worker.js';

@Module({
  imports: [MonitorsModule],
  controllers: [MonitorActivityHandlers],
  providers: [ActivityCounts, RunCountFolds],
})
export class ActivityModule {}
