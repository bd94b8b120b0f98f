import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/index.js';
import { ModelsModule } from '../models/index.js';
import { RequestRecordsModule } from '../request-records/index.js';
import { Arrivals } from './arrivals.repository.js';
import { Assembly } from './assembly.repository.js';
import { OtelHandlers } from './otel.handlers.js';
import { RequestOwners } from './request-owners.repository.js';
import { TraceApplications } from './trace-applications.js';
import { TraceAssemblyWorker } from './trace-assembly.worker.js';
import { TraceRecorder } from './trace-recorder.js';
import { TraceCosts } from './trace-costs.js';
import { TraceRetention } from './trace-retention.repository.js';

@Module({
  imports: [ApplicationsModule, ModelsModule, RequestRecordsModule],
  controllers: [OtelHandlers],
  providers: [
    Arrivals,
    Assembly,
    RequestOwners,
    TraceApplications,
    TraceAssemblyWorker,
    TraceCosts,
    TraceRecorder,
    TraceRetention,
  ],
  exports: [TraceRetention],
})
export class OtelModule {}
