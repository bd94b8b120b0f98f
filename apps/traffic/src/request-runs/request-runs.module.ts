import { Module } from '@nestjs/common';
import { EvaluationModule } from '@signalbox/conditions';
import { provideRuns, runProviders } from '@signalbox/runs';
import { CallTargetsModule } from '../call-targets/index.js';
import { IntentsModule } from '../intents/index.js';
import { JudgingModule } from '../judging/index.js';
import { RequestRecordsModule } from '../request-records/index.js';
import { TagsModule } from '../tags/index.js';
import { EvaluationEstimates } from './evaluations/evaluation-estimates.js';
import { EvaluationProgress } from './evaluations/evaluation-progress.repository.js';
import { EvaluationRuns } from './evaluations/evaluation-runs.repository.js';
import { EvaluationSteps } from './evaluations/evaluation-steps.js';
import { EvaluationHandlers } from './evaluations/evaluations.handlers.js';
import { RunResults } from './evaluations/run-results.repository.js';
import { SelectedRequests } from './evaluations/selected-requests.repository.js';
import { TagRunProgress } from './tags/tag-run-progress.repository.js';
import { TagRunSteps } from './tags/tag-run-steps.js';
import { TagRunHandlers } from './tags/tag-runs.handlers.js';
import { TagRuns } from './tags/tag-runs.repository.js';

const TAG_RUNS = provideRuns(TagRuns, TagRunSteps);
const EVALUATION_RUNS = provideRuns(EvaluationRuns, EvaluationSteps);

@Module({
  imports: [CallTargetsModule, EvaluationModule, IntentsModule, JudgingModule, RequestRecordsModule, TagsModule],
  controllers: [TagRunHandlers, EvaluationHandlers],
  providers: [
    EvaluationEstimates,
    EvaluationProgress,
    RunResults,
    SelectedRequests,
    TagRunProgress,
    ...runProviders([TAG_RUNS, EVALUATION_RUNS]),
  ],
})
export class RequestRunsModule {}
