import { Module } from '@nestjs/common';
import { PayloadOffloadModule } from '../payload-offload/index.js';
import { RequestReadsModule } from '../request-reads/index.js';
import { SessionsModule } from '../sessions/index.js';
import { RecordedSessions } from './recorded-sessions.repository.js';
import { SessionFeedbacks } from './session-feedback.repository.js';
import { SessionSummaries } from './session-summaries.worker.js';
import { SessionHandlers } from './sessions.handlers.js';

@Module({
  imports: [PayloadOffloadModule, RequestReadsModule, SessionsModule],
  controllers: [SessionHandlers],
  providers: [RecordedSessions, SessionFeedbacks, SessionSummaries],
  exports: [RecordedSessions],
})
export class SessionHistoryModule {}
