import { Module } from '@nestjs/common';
import { MonitorsModule } from '../monitors/index.js';
import { MonitorVersions } from './versions.repository.js';

@Module({
  imports: [MonitorsModule],
  providers: [MonitorVersions],
  exports: [MonitorVersions],
})
export class VersionsModule {}
