import { Module } from '@nestjs/common';
import { JudgingModule } from '../judging/index.js';
import { SessionsModule } from '../sessions/index.js';
import { WatchedCompaniesModule } from '../watched-companies/index.js';
import { NewRequestEvaluations } from './writing/new-request-evaluations.js';
import { RequestWriter } from './writing/request-writer.repository.js';
import { ResultWriter } from './writing/result-writer.repository.js';

@Module({
  imports: [JudgingModule, SessionsModule, WatchedCompaniesModule],
  providers: [NewRequestEvaluations, RequestWriter, ResultWriter],
  exports: [RequestWriter, ResultWriter],
})
export class RequestRecordsModule {}
