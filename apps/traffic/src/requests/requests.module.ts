import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/index.js';
import { ChatModule } from '../chat/index.js';
import { EvaluationsModule } from '../evaluations/index.js';
import { IntentGroupsModule } from '../intent-groups/index.js';
import { JudgingModule } from '../judging/index.js';
import { OtelModule } from '../otel/index.js';
import { PayloadOffloadModule } from '../payload-offload/index.js';
import { RequestReadsModule } from '../request-reads/index.js';
import { ClosedDays } from './closed-days/closed-days.worker.js';
import { RequestHandlers } from './requests.handlers.js';
import { RequestRetention } from './retention/request-retention.repository.js';
import { RetentionWorker } from './retention/retention.worker.js';
import { SessionRetention } from './retention/session-retention.repository.js';
import { RequestSourceHandlers } from './sources/request-sources.handlers.js';
import { RequestSources } from './sources/request-sources.repository.js';

@Module({
  imports: [
    ApplicationsModule,
    ChatModule,
    EvaluationsModule,
    IntentGroupsModule,
    JudgingModule,
    OtelModule,
    PayloadOffloadModule,
    RequestReadsModule,
  ],
  controllers: [RequestHandlers, RequestSourceHandlers],
  providers: [ClosedDays, RequestRetention, RequestSources, RetentionWorker, SessionRetention],
})
export class RequestsModule {}
