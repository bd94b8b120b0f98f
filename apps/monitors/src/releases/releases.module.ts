import { Module } from '@nestjs/common';
import { ReleaseGateClient } from '@signalbox/clients';
import { ChecksModule } from '../checks/index.js';
import { MonitorsModule } from '../monitors/index.js';
import { VersionsModule } from '../versions/index.js';
import { MonitorVersionHandlers } from './monitor-versions.handlers.js';
import { MonitorReleases } from './releases.repository.js';

@Module({
  imports: [ChecksModule, MonitorsModule, VersionsModule],
  controllers: [MonitorVersionHandlers],
  providers: [MonitorReleases, ReleaseGateClient],
  exports: [MonitorReleases],
})
export class ReleasesModule {}
