import { Module } from '@nestjs/common';
import { AnalyticsModule } from '../analytics/index.js';
import { PayloadOffloadModule } from '../payload-offload/index.js';
import { RequestRecordsModule } from '../request-records/index.js';
import { RequestPayloadHandlers } from './request-payloads.handlers.js';
import { RequestPayloads } from './request-payloads.repository.js';
import { RequestReader } from './request-reader.repository.js';

@Module({
  imports: [AnalyticsModule, PayloadOffloadModule, RequestRecordsModule],
  controllers: [RequestPayloadHandlers],
  providers: [RequestPayloads, RequestReader],
  exports: [RequestReader],
})
export class RequestReadsModule {}
