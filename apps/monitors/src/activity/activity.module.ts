import { Module } from '@nestjs/common';
import { MonitorsModule } from '../monitors/index.js';
import { MonitorActivityHandlers } from './activity.handlers.js';
import { ActivityCounts } from './activity.repository.js';

@Module({
  imports: [MonitorsModule],
  controllers: [MonitorActivityHandlers],
  providers: [ActivityCounts],
})
export class ActivityModule {}
