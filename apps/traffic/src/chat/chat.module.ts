import { Module } from '@nestjs/common';
import { EvaluationModule } from '@signalbox/conditions';
import { ApplicationsModule } from '../applications/index.js';
import { CallTargetChangesModule } from '../call-target-changes/index.js';
import { CallTargetsModule } from '../call-targets/index.js';
import { IntentsModule } from '../intents/index.js';
import { JudgingModule } from '../judging/index.js';
import { ProvidersModule } from '../providers/index.js';
import { RequestRecordsModule } from '../request-records/index.js';
import { SessionsModule } from '../sessions/index.js';
import { WatchedCompaniesModule } from '../watched-companies/index.js';
import { AnswerEvaluation } from './answer-evaluation.js';
import { CompletionBackends } from './backends/completion-backends.js';
import { FixedTemperatures } from './backends/judge-model.js';
import { CompletionCalls } from './completion-calls.js';
import { CompletionHandlers } from './completions.handlers.js';
import { ApplicationResolver } from './scope/application-resolver.repository.js';
import { BoundAgents } from './scope/bound-agents.js';
import { CallScopes } from './scope/call-scope.js';
import { StoredAnswers } from './stored-answers.js';

@Module({
  imports: [
    ApplicationsModule,
    CallTargetChangesModule,
    CallTargetsModule,
    EvaluationModule,
    IntentsModule,
    JudgingModule,
    ProvidersModule,
    RequestRecordsModule,
    SessionsModule,
    WatchedCompaniesModule,
  ],
  controllers: [CompletionHandlers],
  providers: [
    AnswerEvaluation,
    ApplicationResolver,
    BoundAgents,
    CallScopes,
    CompletionBackends,
    CompletionCalls,
    FixedTemperatures,
    StoredAnswers,
  ],
  exports: [BoundAgents, CallScopes, CompletionCalls],
})
export class ChatModule {}
