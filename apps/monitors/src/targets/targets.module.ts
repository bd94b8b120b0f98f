import { Module } from '@nestjs/common';
import { MonitorsModule } from '../monitors/index.js';
import { ReleasesModule } from '../releases/index.js';
import { MonitorLinkHandlers } from './monitor-links.handlers.js';
import { TargetResources } from './target-resources.js';
import { MonitorTargetHandlers } from './targets.handlers.js';

@Module({
  imports: [MonitorsModule, ReleasesModule],
  controllers: [MonitorLinkHandlers, MonitorTargetHandlers],
  providers: [TargetResources],
})
export class TargetsModule {}
