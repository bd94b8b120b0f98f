import { Module } from '@nestjs/common';
import { EvaluationModule } from '@signalbox/conditions';
import { EvaluationResults } from './evaluation-results.repository.js';
import { JudgeCalls } from './judge-calls.js';
import { SentinelJudge } from './sentinel-judge.js';
import { Sentinels } from './sentinels.repository.js';

@Module({
  imports: [EvaluationModule],
  providers: [EvaluationResults, JudgeCalls, SentinelJudge, Sentinels],
  exports: [EvaluationResults, JudgeCalls, SentinelJudge, Sentinels],
})
export class JudgingModule {}
