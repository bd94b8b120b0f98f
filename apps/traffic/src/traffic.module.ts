import { type DynamicModule, Module } from '@nestjs/common';
import { ObjectsModule } from '@signalbox/objects';
import type { Settings } from '@signalbox/platform';
import { type CompletionSettings, CompletionsModule } from './completions.module.js';
import { NameHandlers } from './names.handlers.js';
import { AnalyticsModule } from './analytics/index.js';
import { ApplicationsApiModule } from './applications/applications-api.module.js';
import { ChatApiModule } from './chat/chat-api.module.js';
import { EvaluationsModule } from './evaluations/index.js';
import { FinetuningModule } from './finetuning/index.js';
import { IntentsApiModule } from './intents/intents-api.module.js';
import { ModelsApiModule } from './models/models-api.module.js';
import { OtelModule } from './otel/index.js';
import { PayloadOffloadModule } from './payload-offload/index.js';
import { ProvidersApiModule } from './providers/providers-api.module.js';
import { ReportsModule } from './reports/index.js';
import { RequestReadsModule } from './request-reads/index.js';
import { RequestRunsModule } from './request-runs/index.js';
import { RequestsModule } from './requests/index.js';
import { SearchModule } from './search/index.js';
import { SentinelsModule } from './sentinels/index.js';
import { SessionHistoryModule } from './session-history/index.js';
import { TagsModule } from './tags/index.js';

@Module({})
export class TrafficModule {
  static with(settings: CompletionSettings & Settings<'OBJECT_STORE_URL'>): DynamicModule {
    return {
      module: TrafficModule,
      imports: [
        ObjectsModule.forService('traffic', settings),
        CompletionsModule.with(settings, false),
        ProvidersApiModule,
        ModelsApiModule,
        PayloadOffloadModule,
        RequestReadsModule,
        SessionHistoryModule,
        ApplicationsApiModule,
        IntentsApiModule,
        ChatApiModule,
        AnalyticsModule,
        TagsModule,
        SentinelsModule,
        EvaluationsModule,
        RequestRunsModule,
        RequestsModule,
        FinetuningModule,
        ReportsModule,
        SearchModule,
        OtelModule,
      ],
      controllers: [NameHandlers],
    };
  }
}
