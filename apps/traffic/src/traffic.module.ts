import { type DynamicModule, Module } from '@nestjs/common';
import { ObjectsModule } from '@signalbox/objects';
import type { Settings } from '@signalbox/platform';
import { provideRuns, runProviders } from '@signalbox/runs';
import { type CompletionSettings, CompletionsModule } from './completions.module.js';
import { AnalyticsHandlers } from './analytics/analytics.handlers.js';
import { Analytics } from './analytics/analytics.js';
import { RollupFolds } from './analytics/rollup-folds.worker.js';
import { Rollups } from './analytics/rollups.repository.js';
import { SeriesLabels } from './analytics/series-labels.repository.js';
import { ApplicationHandlers } from './applications/applications.handlers.js';
import { Configs } from './config/configs.js';
import { NamedWorkflows } from './config/named-workflows.js';
import { EvaluationResultHandlers } from './evaluations/results/evaluation-results.handlers.js';
import { LiveEvaluation } from './evaluations/live-evaluation.worker.js';
import { RequestEvaluation } from './evaluations/request-evaluation.js';
import { EvaluationEstimates } from './evaluations/runs/evaluation-estimates.js';
import { EvaluationProgress } from './evaluations/runs/evaluation-progress.repository.js';
import { EvaluationRuns } from './evaluations/runs/evaluation-runs.repository.js';
import { EvaluationSteps } from './evaluations/runs/evaluation-steps.js';
import { EvaluationHandlers } from './evaluations/runs/evaluations.handlers.js';
import { RunResults } from './evaluations/runs/run-results.repository.js';
import { SelectedRequests } from './evaluations/runs/selected-requests.repository.js';
import { FinetuneJobHandlers } from './finetuning/finetune-jobs.handlers.js';
import { FinetunedModels } from './finetuning/finetuned-models.repository.js';
import { IntentGroupHandlers } from './intent-groups/intent-groups.handlers.js';
import { IntentHandlers } from './intents/intents.handlers.js';
import { TrafficLinkHandlers } from './intents/traffic-links.handlers.js';
import { ChatHandlers } from './chat/chat.handlers.js';
import { RepeatedCalls } from './chat/repeated-calls.js';
import { ModelHandlers } from './models/models.handlers.js';
import { ModelUses } from './models/model-uses.js';
import { ProviderHandlers } from './providers/providers.handlers.js';
import { PayloadOffload } from './payload-offload/payload-offload.js';
import { PayloadOffloadWorker } from './payload-offload/payload-offload.worker.js';
import { ObjectSweep } from './payload-offload/object-sweep.worker.js';
import { OffloadedObjects } from './payload-offload/offloaded-objects.repository.js';
import { RequestRetention } from './requests/retention/request-retention.repository.js';
import { SessionRetention } from './requests/retention/session-retention.repository.js';
import { RequestPayloadHandlers } from './requests/request-payloads.handlers.js';
import { RequestPayloads } from './requests/request-payloads.repository.js';
import { RequestReader } from './requests/request-reader.repository.js';
import { RequestHandlers } from './requests/requests.handlers.js';
import { RequestSourceHandlers } from './requests/sources/request-sources.handlers.js';
import { RequestSources } from './requests/sources/request-sources.repository.js';
import { RequestRecordsHandlers } from './request-log/record-receiver.handlers.js';
import { RetentionWorker } from './requests/retention/retention.worker.js';
import { RecordedSessions } from './sessions/recorded-sessions.repository.js';
import { SessionFeedbacks } from './sessions/session-feedback.repository.js';
import { SessionHandlers } from './sessions/sessions.handlers.js';
import { RequestTags } from './tags/request-tags.repository.js';
import { TagHandlers } from './tags/tags.handlers.js';
import { Tags } from './tags/tags.repository.js';
import { AutoTagging } from './tags/rules/auto-tagging.worker.js';
import { TagJudge } from './tags/rules/tag-judge.js';
import { TagPreviews } from './tags/rules/tag-previews.js';
import { TagRuleHandlers } from './tags/rules/tag-rules.handlers.js';
import { TagRules } from './tags/rules/tag-rules.repository.js';
import { TaggableRequests } from './tags/rules/taggable-requests.repository.js';
import { TagRunProgress } from './tags/runs/tag-run-progress.repository.js';
import { TagRunSteps } from './tags/runs/tag-run-steps.js';
import { TagRunHandlers } from './tags/runs/tag-runs.handlers.js';
import { TagRuns } from './tags/runs/tag-runs.repository.js';
import { NameHandlers } from './names.handlers.js';
import { FindHandlers } from './search/find.handlers.js';
import { HelpTexts } from './search/help-texts.js';
import { SearchHandlers } from './search/search.handlers.js';
import { FallbackRates } from './reports/fallback-rates.js';
import { FallbackReports } from './reports/fallback-reports.repository.js';
import { FaultReports } from './reports/fault-reports.repository.js';
import { ReportHandlers } from './reports/reports.handlers.js';
import { SentinelProposals } from './sentinels/sentinel-proposals.js';
import { SentinelTrials } from './sentinels/sentinel-trials.js';
import { SentinelHandlers } from './sentinels/sentinels.handlers.js';
import { SessionSummaries } from './sessions/session-summaries.worker.js';

/** Applications, models and their providers, model calls, and the request log. */
@Module({})
export class TrafficModule {
  static with(settings: CompletionSettings & Settings<'OBJECT_STORE_URL'>): DynamicModule {
    return {
      module: TrafficModule,
      imports: [ObjectsModule.forService('traffic', settings), CompletionsModule.with(settings, false)],
      controllers: [
        ApplicationHandlers,
        IntentHandlers,
        TrafficLinkHandlers,
        IntentGroupHandlers,
        RequestSourceHandlers,
        ProviderHandlers,
        ModelHandlers,
        FinetuneJobHandlers,
        ChatHandlers,
        RequestHandlers,
        RequestPayloadHandlers,
        RequestRecordsHandlers,
        SessionHandlers,
        AnalyticsHandlers,
        TagHandlers,
        TagRuleHandlers,
        TagRunHandlers,
        SentinelHandlers,
        EvaluationResultHandlers,
        EvaluationHandlers,
        ReportHandlers,
        SearchHandlers,
        FindHandlers,
        NameHandlers,
      ],
      providers: [
        Configs,
        NamedWorkflows,
        ModelUses,
        FinetunedModels,
        RequestPayloads,
        RequestSources,
        RepeatedCalls,
        RequestReader,
        RequestRetention,
        SessionRetention,
        RetentionWorker,
        PayloadOffload,
        OffloadedObjects,
        PayloadOffloadWorker,
        ObjectSweep,
        RecordedSessions,
        SessionFeedbacks,
        SessionSummaries,
        Analytics,
        Rollups,
        RollupFolds,
        SeriesLabels,
        Tags,
        RequestTags,
        TagRules,
        TagJudge,
        HelpTexts,
        TagPreviews,
        TaggableRequests,
        AutoTagging,
        TagRunProgress,
        SentinelTrials,
        SentinelProposals,
        RequestEvaluation,
        LiveEvaluation,
        EvaluationEstimates,
        EvaluationProgress,
        SelectedRequests,
        RunResults,
        FaultReports,
        FallbackReports,
        FallbackRates,
        ...runProviders([provideRuns(TagRuns, TagRunSteps), provideRuns(EvaluationRuns, EvaluationSteps)]),
      ],
    };
  }
}
