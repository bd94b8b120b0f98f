import { type DynamicModule, Module } from '@nestjs/common';
import { BusModule } from '@signalbox/bus';
import { DatabaseModule } from '@signalbox/database';
import { ObjectsModule } from '@signalbox/objects';
import type { Settings } from '@signalbox/platform';
import { AnalyticsHandlers } from './analytics/analytics.handlers.js';
import { Analytics } from './analytics/analytics.js';
import { RollupFolds } from './analytics/rollup-folds.worker.js';
import { Rollups } from './analytics/rollups.repository.js';
import { SeriesLabels } from './analytics/series-labels.repository.js';
import { ApplicationRow } from './applications/application.entity.js';
import { ApplicationHandlers } from './applications/applications.handlers.js';
import { Applications } from './applications/applications.repository.js';
import { Answerers } from './chat/answerers.js';
import { BoundAgents } from './chat/bound-agents.js';
import { CalledPlaces } from './chat/called-places.repository.js';
import { ConfigLayers } from './config/config-layers.repository.js';
import { Configs } from './config/configs.js';
import {
  ApplicationWorkflowHandlers,
  GroupSentinelHandlers,
  GroupTestSetHandlers,
  GroupTrainingHandlers,
  IntentDatasetHandlers,
} from './empty-families/empty-families.handlers.js';
import { IntentGroupRow } from './intent-groups/intent-group.entity.js';
import { IntentGroupHandlers } from './intent-groups/intent-groups.handlers.js';
import { IntentGroups } from './intent-groups/intent-groups.repository.js';
import { IntentRow } from './intents/intent.entity.js';
import { IntentHandlers } from './intents/intents.handlers.js';
import { Intents } from './intents/intents.repository.js';
import { CallPlaces } from './chat/call-place.js';
import { CallTargets } from './chat/call-targets.js';
import { ChatHandlers } from './chat/chat.handlers.js';
import { CompletionCalls } from './chat/completion-calls.js';
import { CompletionHandlers } from './chat/completions.handlers.js';
import { ProviderClients } from './chat/provider-clients.js';
import { CompanyProfiles, EGRESS_ALLOW } from './companies/company-profiles.js';
import { BuiltIns } from './models/built-ins.repository.js';
import { ModelRow } from './models/model.entity.js';
import { ModelHandlers } from './models/models.handlers.js';
import { ModelUses } from './models/model-uses.js';
import { Models } from './models/models.repository.js';
import { ProviderSeal } from './providers/provider-seal.js';
import { ProviderRow } from './providers/provider.entity.js';
import { ProviderHandlers } from './providers/providers.handlers.js';
import { Providers } from './providers/providers.repository.js';
import { LargeParts } from './large-parts/large-parts.js';
import { LargePartsWorker } from './large-parts/large-parts.worker.js';
import { ObjectSweep } from './large-parts/object-sweep.worker.js';
import { PartObjects } from './large-parts/part-objects.repository.js';
import { OldRequests } from './requests/old-requests.repository.js';
import { RecordedRequests } from './requests/recorded-requests.repository.js';
import { RequestLog, SPOOL_FOLDER, spoolFolder } from './requests/request-log.js';
import { RequestHandlers } from './requests/requests.handlers.js';
import { Requests } from './requests/requests.repository.js';
import { RetentionWorker } from './requests/retention.worker.js';
import { StoredAnswers } from './requests/stored-answers.js';
import { SessionClaims } from './sessions/session-claims.js';
import { SessionHandlers } from './sessions/sessions.handlers.js';
import { SessionSummaries } from './sessions/session-summaries.worker.js';
import { Sessions } from './sessions/sessions.repository.js';

type Needed =
  'NATS_URL' | 'DATABASE_URL' | 'WORKER_DATABASE_URL' | 'MASTER_KEY' | 'DATA_DIR' | 'OBJECT_STORE_URL' | 'EGRESS_ALLOW';

/** Applications, models and their providers, every model call, and the log of these calls. */
@Module({})
export class TrafficModule {
  static with(settings: Settings<Needed>): DynamicModule {
    return {
      module: TrafficModule,
      imports: [
        BusModule.forService({ name: 'traffic', url: settings.NATS_URL, database: true }),
        ObjectsModule.forService('traffic', settings),
        DatabaseModule.forService({
          service: 'traffic',
          url: settings.DATABASE_URL,
          workerUrl: settings.WORKER_DATABASE_URL,
          entities: [ApplicationRow, IntentGroupRow, IntentRow, ProviderRow, ModelRow],
        }),
      ],
      controllers: [
        ApplicationHandlers,
        ApplicationWorkflowHandlers,
        IntentHandlers,
        IntentDatasetHandlers,
        IntentGroupHandlers,
        GroupSentinelHandlers,
        GroupTestSetHandlers,
        GroupTrainingHandlers,
        ProviderHandlers,
        ModelHandlers,
        ChatHandlers,
        CompletionHandlers,
        RequestHandlers,
        SessionHandlers,
        AnalyticsHandlers,
      ],
      providers: [
        Applications,
        Intents,
        IntentGroups,
        ConfigLayers,
        Configs,
        Providers,
        Models,
        ModelUses,
        BuiltIns,
        CompanyProfiles,
        CallTargets,
        CalledPlaces,
        CallPlaces,
        BoundAgents,
        Answerers,
        CompletionCalls,
        ProviderClients,
        Requests,
        RequestLog,
        RecordedRequests,
        OldRequests,
        RetentionWorker,
        PartObjects,
        LargeParts,
        LargePartsWorker,
        ObjectSweep,
        StoredAnswers,
        Sessions,
        SessionClaims,
        SessionSummaries,
        Analytics,
        Rollups,
        RollupFolds,
        SeriesLabels,
        { provide: EGRESS_ALLOW, useValue: settings.EGRESS_ALLOW },
        { provide: SPOOL_FOLDER, useValue: spoolFolder(settings.DATA_DIR) },
        { provide: ProviderSeal, useValue: new ProviderSeal(settings.MASTER_KEY) },
      ],
    };
  }
}
