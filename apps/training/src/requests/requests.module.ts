import { Module } from '@nestjs/common';
import { DatasetsModule } from '../datasets/index.js';
import { DatasetRequestHandlers } from './dataset-requests.handlers.js';
import { DatasetRequests } from './dataset-requests.repository.js';
import { RequestAdditions } from './request-additions.js';

@Module({
  imports: [DatasetsModule],
  controllers: [DatasetRequestHandlers],
  providers: [DatasetRequests, RequestAdditions],
  exports: [DatasetRequests],
})
export class RequestsModule {}
