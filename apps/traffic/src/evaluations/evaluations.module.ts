import { Module } from '@nestjs/common';
import { JudgingModule } from '../judging/index.js';
import { RequestReadsModule } from '../request-reads/index.js';
import { RequestRecordsModule } from '../request-records/index.js';
import { TagsModule } from '../tags/index.js';
import { EvaluationResultHandlers } from './evaluation-results.handlers.js';
import { LiveEvaluation } from './live-evaluation.worker.js';
import { RequestEvaluation } from './request-evaluation.js';

@Module({
  imports: [JudgingModule, RequestReadsModule, RequestRecordsModule, TagsModule],
  controllers: [EvaluationResultHandlers],
  providers: [LiveEvaluation, RequestEvaluation],
  exports: [RequestEvaluation],
})
export class EvaluationsModule {}
