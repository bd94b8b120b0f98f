import { Module } from '@nestjs/common';
import { EvaluationModule } from '@signalbox/conditions';
import { IntentGroupsModule } from '../intent-groups/index.js';
import { JudgingModule } from '../judging/index.js';
import { RequestReadsModule } from '../request-reads/index.js';
import { WatchedCompaniesModule } from '../watched-companies/index.js';
import { SentinelProposals } from './sentinel-proposals.js';
import { SentinelTrials } from './sentinel-trials.js';
import { SentinelHandlers } from './sentinels.handlers.js';

@Module({
  imports: [EvaluationModule, IntentGroupsModule, JudgingModule, RequestReadsModule, WatchedCompaniesModule],
  controllers: [SentinelHandlers],
  providers: [SentinelProposals, SentinelTrials],
})
export class SentinelsModule {}
