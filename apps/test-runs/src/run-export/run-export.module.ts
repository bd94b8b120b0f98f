import { Module } from '@nestjs/common';
import { RunRecordsModule } from '../run-records/index.js';
import { ExportedRuns } from './exported-runs.repository.js';
import { RunExportHandlers } from './run-export.handlers.js';

@Module({
  imports: [RunRecordsModule],
  controllers: [RunExportHandlers],
  providers: [ExportedRuns],
})
export class RunExportModule {}
