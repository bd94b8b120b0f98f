import { type DynamicModule, Module } from '@nestjs/common';
import { BusModule, CompanyProfiles } from '@signalbox/bus';
import { evaluationProviders, SchemaChecker, TextTests } from '@signalbox/conditions';
import { DatabaseModule } from '@signalbox/database';
import {
  FLUSH_ALL,
  FLUSH_PENDING,
  type FlushPending,
  Quarantine,
  requestLogFolders,
  type Settings,
} from '@signalbox/platform';
import { ENTITIES } from './entities.js';
import { Applications } from './applications/applications.repository.js';
import { CompletionBackends } from './chat/backends/completion-backends.js';
import { BoundAgents } from './chat/scope/bound-agents.js';
import { CallScopes } from './chat/scope/call-scope.js';
import { FixedTemperatures } from './chat/backends/judge-model.js';
import { CallTargets } from './chat/scope/call-targets.js';
import { ApplicationResolver } from './chat/scope/application-resolver.repository.js';
import { CompletionCalls } from './chat/completion-calls.js';
import { CompletionHandlers } from './chat/completions.handlers.js';
import { ProviderClients } from './chat/backends/provider-clients.js';
import { EGRESS_ALLOW } from './providers/egress-allow.js';
import { AnswerEvaluation } from './evaluations/answer-evaluation.js';
import { EvaluatedCompanies } from './evaluations/evaluated-companies.js';
import { EvaluationResults } from './evaluations/results/evaluation-results.repository.js';
import { JudgeCalls } from './evaluations/judging/judge-calls.js';
import { NewRequestEvaluations } from './evaluations/new-requests.js';
import { ResultWriter } from './evaluations/results/result-writer.repository.js';
import { SentinelJudge } from './evaluations/judging/sentinel-judge.js';
import { Sentinels } from './sentinels/sentinels.repository.js';
import { IntentGroups } from './intent-groups/intent-groups.repository.js';
import { Intents } from './intents/intents.repository.js';
import { ConfigLayers } from './config/config-layers.repository.js';
import { BuiltIns } from './models/built-ins.repository.js';
import { Models } from './models/models.repository.js';
import { ProviderSeal } from './providers/provider-seal.js';
import { Providers } from './providers/providers.repository.js';
import { RecordWriters } from './request-log/record-writers.js';
import { ForwardedRecords, OwnRecords, RecordStore } from './request-log/record-store.js';
import { RecordWriter } from './request-log/record-writer.js';
import { RequestLog, SPOOL_FOLDER, spoolFolder } from './request-log/request-log.js';
import { RequestWriter } from './requests/request-writer.repository.js';
import { StoredAnswers } from './requests/stored-answers.js';
import { SessionClaims } from './sessions/session-claims.js';
import { AutoTaggedCompanies } from './tags/rules/auto-tagged-companies.js';
import { Sessions } from './sessions/sessions.repository.js';

/** How long a read waits for records of its company that are not stored yet. */
const FLUSH_MS = 1000;

/** The settings of chat completions. */
export type CompletionSettings = Settings<
  'NATS_URL' | 'DATABASE_URL' | 'WORKER_DATABASE_URL' | 'PROVIDER_SEAL_KEY' | 'DATA_DIR' | 'EGRESS_ALLOW'
>;

/** The providers that the rest of the traffic service uses as well. */
const SHARED = [
  Applications,
  Intents,
  IntentGroups,
  ConfigLayers,
  Providers,
  Models,
  BuiltIns,
  CompanyProfiles,
  CallTargets,
  CompletionCalls,
  ProviderClients,
  RequestWriter,
  RequestLog,
  Sessions,
  SessionClaims,
  AutoTaggedCompanies,
  AnswerEvaluation,
  EvaluatedCompanies,
  EvaluationResults,
  JudgeCalls,
  NewRequestEvaluations,
  ResultWriter,
  SentinelJudge,
  Sentinels,
];

/**
 * Chat completions with the request log and their dependencies. Runs in the traffic service and, without the rest of
 * it, in the process that serves the HTTP clients (docs/decisions/023).
 */
@Module({})
export class CompletionsModule {
  /** `inProcess` = serves only callers in this process; everything else is left to the traffic service. */
  static with(settings: CompletionSettings, inProcess: boolean): DynamicModule {
    return {
      module: CompletionsModule,
      global: true,
      imports: [
        BusModule.forService({ name: 'traffic', url: settings.NATS_URL, database: true, inProcess }),
        DatabaseModule.forService({
          service: 'traffic',
          url: settings.DATABASE_URL,
          workerUrl: settings.WORKER_DATABASE_URL,
          entities: ENTITIES,
        }),
      ],
      controllers: [CompletionHandlers],
      providers: [
        ...SHARED,
        ApplicationResolver,
        CallScopes,
        BoundAgents,
        CompletionBackends,
        FixedTemperatures,
        StoredAnswers,
        OwnRecords,
        RecordWriter,
        { provide: Quarantine, useValue: new Quarantine(requestLogFolders(settings.DATA_DIR).quarantine) },
        ...evaluationProviders,
        { provide: RecordStore, useClass: inProcess ? ForwardedRecords : OwnRecords },
        { provide: EGRESS_ALLOW, useValue: settings.EGRESS_ALLOW },
        { provide: SPOOL_FOLDER, useValue: spoolFolder(settings.DATA_DIR) },
        { provide: ProviderSeal, useValue: new ProviderSeal(settings.PROVIDER_SEAL_KEY) },
        RecordWriters,
        {
          provide: FLUSH_ALL,
          inject: [RecordWriters],
          useFactory: (writers: RecordWriters) => () => writers.flush(),
        },
        {
          provide: FLUSH_PENDING,
          inject: [RequestLog],
          useFactory:
            (log: RequestLog): FlushPending =>
            (companies) =>
              log.settle(FLUSH_MS, companies),
        },
      ],
      exports: [
        ...SHARED,
        CallScopes,
        BoundAgents,
        OwnRecords,
        SchemaChecker,
        TextTests,
        EGRESS_ALLOW,
        FLUSH_ALL,
        ProviderSeal,
        FLUSH_PENDING,
      ],
    };
  }
}
