import { Module } from '@nestjs/common';
import { JudgingModule } from '../judging/index.js';
import { RunRecordsModule } from '../run-records/index.js';
import { StepsModule } from '../steps/index.js';
import { ItemScoring } from './item-scoring.js';
import { RunScores } from './run-scores.repository.js';
import { ScoreRequests } from './score-requests.js';
import { ScoreSummaries } from './score-summaries.repository.js';
import { ScoringWorker } from './scoring-worker.js';
import { Scorings } from './scorings.repository.js';

@Module({
  imports: [JudgingModule, RunRecordsModule, StepsModule],
  providers: [ItemScoring, RunScores, ScoreRequests, ScoreSummaries, Scorings, ScoringWorker],
  exports: [ScoreRequests, ScoreSummaries, Scorings, ScoringWorker],
})
export class ScoringModule {}
