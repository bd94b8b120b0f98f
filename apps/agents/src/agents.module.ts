import { type DynamicModule, Module } from '@nestjs/common';
import { BusModule, CompanyProfiles, type ProcessRole, ReleaseGate } from '@signalbox/bus';
import { evaluationProviders } from '@signalbox/conditions';
import { DatabaseModule } from '@signalbox/database';
import { Egress } from '@signalbox/egress';
import type { Settings } from '@signalbox/platform';
import { jobsOfHooks, provideRuns, runProviders, RunWorkSettings } from '@signalbox/runs';
import { ENTITIES } from './entities.js';
import { NameHandlers } from './names.handlers.js';
import { ActionHandlers } from './actions/actions.handlers.js';
import { Actions } from './actions/actions.repository.js';
import { ActionWorkflows } from './actions/action-workflows.js';
import { WorkflowActions } from './tasks/actions/workflow-actions.js';
import { AgentLinkHandlers } from './agents/agent-links.handlers.js';
import { AgentHandlers } from './agents/agents.handlers.js';
import { AgentDeletion } from './agents/agent-deletion.js';
import { Agents } from './agents/agents.repository.js';
import { KnownModels } from './agents/known-models.js';
import { Drafts } from './agents/drafts.repository.js';
import { DraftParts } from './agents/draft-parts.repository.js';
import { FormFieldHandlers } from './form-fields/form-fields.handlers.js';
import { FormFields } from './form-fields/form-fields.repository.js';
import { ManifestHandlers } from './manifests/manifests.handlers.js';
import { AgentCopies } from './manifests/agent-copies.repository.js';
import { Manifests } from './manifests/manifests.repository.js';
import { ManifestWorkflows } from './manifests/manifest-workflows.js';
import { NamedAgents } from './manifests/named-agents.repository.js';
import { Router } from './routing/router.js';
import { RoutingHandlers } from './routing/routing.handlers.js';
import { RoutingRules } from './routing/rules.repository.js';
import { SubAgentHandlers } from './sub-agents/sub-agents.handlers.js';
import { LinkTargets } from './sub-agents/link-targets.repository.js';
import { SubAgents } from './sub-agents/sub-agents.repository.js';
import { AgentSessionHandlers } from './sessions/agent-sessions.handlers.js';
import { SessionErasureWorker } from './sessions/session-erasure.worker.js';
import { StateWrites } from './sessions/state-writes.repository.js';
import { AgentSessions } from './sessions/sessions.repository.js';
import { Callbacks, PublicUrl } from './hooks/callbacks.js';
import { HookHandlers } from './hooks/hooks.handlers.js';
import { ActionRunner } from './tasks/actions/action-runner.js';
import { AgentAnswerHandlers } from './tasks/streaming/agent-answers.handlers.js';
import { StreamedAnswers } from './tasks/streaming/streamed-answers.js';
import { BackgroundActions } from './tasks/actions/background-actions.js';
import { AnswerStreams } from './tasks/streaming/answer-streams.js';
import { AgentTestHandlers } from './tasks/submission/agent-tests.handlers.js';
import { CalledAgents } from './tasks/submission/called-agents.js';
import { CallPreconditions } from './tasks/submission/call-preconditions.js';
import { StepExecutor } from './tasks/loop/step-executor.js';
import { TaskRunSteps } from './tasks/loop/task-run-steps.js';
import { ACTION_WORK, HOOK_WORK } from './tasks/loop/task-work.js';
import { INTERRUPTED } from './tasks/loop/task-outcome.js';
import { TaskRuns } from './tasks/task-runs.repository.js';
import { ActionTests } from './tasks/actions/action-tests.js';
import { ChildTasks } from './tasks/children/child-tasks.js';
import { ModelCalls } from './tasks/model/model-calls.js';
import { TaskAcceptances } from './tasks/submission/task-acceptances.repository.js';
import { TaskSubmission } from './tasks/submission/task-submission.js';
import { StartedTasks } from './tasks/submission/started-tasks.js';
import { InvokeLimit } from './tasks/submission/task-settings.js';
import { TaskStarts } from './tasks/loop/task-starts.js';
import { TaskCancellations } from './tasks/task-cancellations.js';
import { TaskSteps } from './tasks/steps/task-steps.js';
import { TaskAnswers } from './tasks/submission/task-answers.js';
import { TaskWrites } from './tasks/task-writes.repository.js';
import { Tasks } from './tasks/tasks.repository.js';
import { TaskPayloadHandlers } from './tasks/task-payloads.handlers.js';
import { TaskHandlers } from './tasks/tasks.handlers.js';
import { AllReleasesHandlers } from './versions/all-releases.handlers.js';
import { AgentVersionHandlers } from './versions/agent-versions.handlers.js';

import { AgentReleases } from './versions/releases.repository.js';
import { AgentVersions } from './versions/versions.repository.js';

const TASKS = [
  ActionRunner,
  ActionTests,
  ActionWorkflows,
  WorkflowActions,
  AgentSessions,
  BackgroundActions,
  CalledAgents,
  CallPreconditions,
  Callbacks,
  ChildTasks,
  LinkTargets,
  CompanyProfiles,
  TaskCancellations,
  ModelCalls,
  AnswerStreams,
  SessionErasureWorker,
  StateWrites,
  StartedTasks,
  StreamedAnswers,
  StepExecutor,
  TaskAcceptances,
  TaskSubmission,
  TaskWrites,
  TaskStarts,
  TaskSteps,
  TaskAnswers,
  Tasks,
];

const never = new AbortController().signal;

/** Tasks as a kind of run, and the work that belongs to them. */
const TASK_RUNS = provideRuns(TaskRuns, TaskRunSteps, {
  inject: [BackgroundActions, TaskWrites],
  from: (background: BackgroundActions, writes: TaskWrites) => [
    {
      work: ACTION_WORK,
      held: true,
      run: (job, signal) => background.run(job, signal),
      exhausted: (job) => background.run(job, never, INTERRUPTED.error_message),
    },
    jobsOfHooks(HOOK_WORK, (job) => writes.expireHook(job)),
  ],
});

/** Drafts of agents with all of their parts, and the versions frozen from them. */
export const DRAFTS = [Drafts, Agents, Actions, SubAgents, RoutingRules, FormFields, DraftParts, AgentVersions];

/** Contracts and events that the service handles. */
type AgentSettings = Settings<
  | 'NATS_URL'
  | 'DATABASE_URL'
  | 'WORKER_DATABASE_URL'
  | 'EGRESS_ALLOW'
  | 'INVOKE_TIMEOUT_SECONDS'
  | 'COMPANY_JOBS_AT_ONCE'
  | 'PUBLIC_URL'
  | 'HOST'
  | 'PORT'
>;

/** Agents, their actions, versions, releases, tasks and sessions. */
@Module({})
export class AgentsModule {
  static with(settings: AgentSettings, role: ProcessRole): DynamicModule {
    return {
      module: AgentsModule,
      imports: [
        BusModule.forService({ name: 'agents', url: settings.NATS_URL, database: true, role }),
        DatabaseModule.forService({
          service: 'agents',
          url: settings.DATABASE_URL,
          workerUrl: settings.WORKER_DATABASE_URL,
          entities: ENTITIES,
        }),
      ],
      controllers: [
        AgentHandlers,
        AgentLinkHandlers,
        ActionHandlers,
        SubAgentHandlers,
        RoutingHandlers,
        FormFieldHandlers,
        ManifestHandlers,
        AgentVersionHandlers,
        AllReleasesHandlers,
        TaskHandlers,
        TaskPayloadHandlers,
        AgentAnswerHandlers,
        AgentTestHandlers,
        AgentSessionHandlers,
        HookHandlers,
        NameHandlers,
      ],
      providers: [
        ...DRAFTS,
        Router,
        AgentCopies,
        Manifests,
        ManifestWorkflows,
        NamedAgents,
        AgentDeletion,
        KnownModels,
        AgentReleases,
        ReleaseGate,
        ...TASKS,
        ...runProviders([TASK_RUNS], new RunWorkSettings(settings.COMPANY_JOBS_AT_ONCE || undefined), role),
        ...evaluationProviders,
        { provide: Egress, useFactory: () => new Egress({ allow: settings.EGRESS_ALLOW }) },
        {
          provide: PublicUrl,
          useValue: new PublicUrl(settings.PUBLIC_URL || `http://${settings.HOST}:${settings.PORT}`),
        },
        { provide: InvokeLimit, useValue: new InvokeLimit(settings.INVOKE_TIMEOUT_SECONDS * 1000) },
      ],
    };
  }
}
