import { type DynamicModule, Module } from '@nestjs/common';
import { BusClient, BusConnection, BusModule, CompanyProfiles, ReleaseGate } from '@signalbox/bus';
import { evaluationProviders } from '@signalbox/conditions';
import { DatabaseModule } from '@signalbox/database';
import { Egress } from '@signalbox/egress';
import { ObjectsModule } from '@signalbox/objects';
import type { Settings } from '@signalbox/platform';
import { provideRuns, runProviders, RunWorkSettings } from '@signalbox/runs';
import { BusScriptRunner, ScriptRunner } from '@signalbox/scripts';
import { ENTITIES } from './entities.js';
import { NameHandlers } from './names.handlers.js';
import { ManifestHandlers } from './manifests/manifests.handlers.js';
import { Manifests } from './manifests/manifests.repository.js';
import { ArtifactHandlers } from './artifacts/artifacts.handlers.js';
import { ArtifactContents } from './artifacts/artifact-contents.repository.js';
import { Artifacts } from './artifacts/artifacts.repository.js';
import { ObjectSweep } from './objects/object-sweep.worker.js';
import { StoredObjects } from './objects/stored-objects.repository.js';
import { ChildRows } from './runs/child-rows.repository.js';
import { RunCancellations } from './runs/run-cancellations.js';
import { RunBudgets } from './runs/execution/run-budgets.repository.js';
import { RunExecutor } from './runs/execution/run-executor.js';
import { RunTransforms } from './runs/execution/run-transforms.js';
import { AgentCalls } from './runs/host/agent-calls.js';
import { ArtifactCalls } from './runs/host/artifact-calls.js';
import { ChildRuns } from './runs/host/child-runs.js';
import { HostMembers } from './runs/host/host-members.js';
import { HttpCalls } from './runs/host/http-calls.js';
import { KeptSteps } from './runs/host/kept-steps.js';
import { ModelCalls } from './runs/host/model-calls.js';
import { ModelStreams } from './runs/host/model-streams.js';
import { SecretReads } from './runs/host/secret-reads.js';
import { RunPayloadHandlers } from './runs/payloads/run-payloads.handlers.js';
import { RunPayloads } from './runs/payloads/run-payloads.repository.js';
import { RunProgress } from './runs/run-progress.repository.js';
import { RunReader } from './runs/run-reader.repository.js';
import { ExecuteLimit } from './runs/run-settings.js';
import { RunReplies } from './runs/submission/run-replies.js';
import { RunSubmission } from './runs/submission/run-submission.js';
import { StartedWorkflowRuns } from './runs/submission/started-workflow-runs.js';
import { WorkflowRunSteps } from './runs/workflow-run-steps.js';
import { WorkflowInvocationHandlers, WorkflowRunHandlers } from './runs/workflow-runs.handlers.js';
import { WorkflowRuns } from './runs/workflow-runs.repository.js';
import { ScriptChecks } from './scripts/script-checks.js';
import { ScriptTexts } from './scripts/script-texts.js';
import { SessionReads } from './sessions/session-reads.js';
import { SessionTransforms } from './sessions/session-transforms.js';
import { SessionTransformHandlers, TransformPreviewHandlers } from './sessions/transform-previews.handlers.js';
import { WorkflowReleases } from './versions/releases.repository.js';
import { WorkflowVersions } from './versions/versions.repository.js';
import { WorkflowVersionHandlers } from './versions/workflow-versions.handlers.js';
import { ApplicationBindings } from './workflows/application-bindings.js';
import { ApplicationWorkflowHandlers } from './workflows/application-workflows.handlers.js';
import { Drafts } from './workflows/drafts.repository.js';
import { NestedRefs } from './workflows/nested-refs.repository.js';
import { WorkflowDeletion } from './workflows/workflow-deletion.js';
import { WorkflowLinkHandlers } from './workflows/workflow-links.handlers.js';
import { WorkflowWrites } from './workflows/workflow-writes.js';
import { WorkflowHandlers } from './workflows/workflows.handlers.js';
import { Workflows } from './workflows/workflows.repository.js';

const RUNS = [
  AgentCalls,
  ArtifactCalls,
  ArtifactContents,
  Artifacts,
  ChildRows,
  ChildRuns,
  CompanyProfiles,
  HostMembers,
  HttpCalls,
  KeptSteps,
  ModelCalls,
  ModelStreams,
  RunBudgets,
  RunCancellations,
  RunExecutor,
  RunPayloads,
  RunProgress,
  RunReader,
  RunReplies,
  RunSubmission,
  RunTransforms,
  SecretReads,
  SessionReads,
  SessionTransforms,
  StartedWorkflowRuns,
];

type WorkflowSettings = Settings<
  | 'NATS_URL'
  | 'DATABASE_URL'
  | 'WORKER_DATABASE_URL'
  | 'EGRESS_ALLOW'
  | 'INVOKE_TIMEOUT_SECONDS'
  | 'COMPANY_JOBS_AT_ONCE'
  | 'DATA_DIR'
  | 'OBJECT_STORE_URL'
>;

/** Workflows, their versions, releases, artifacts and runs. */
@Module({})
export class WorkflowsModule {
  static with(settings: WorkflowSettings): DynamicModule {
    return {
      module: WorkflowsModule,
      imports: [
        BusModule.forService({ name: 'workflows', url: settings.NATS_URL, database: true }),
        DatabaseModule.forService({
          service: 'workflows',
          url: settings.DATABASE_URL,
          workerUrl: settings.WORKER_DATABASE_URL,
          entities: ENTITIES,
        }),
        ObjectsModule.forService('workflows', settings),
      ],
      controllers: [
        ApplicationWorkflowHandlers,
        WorkflowHandlers,
        WorkflowLinkHandlers,
        WorkflowVersionHandlers,
        WorkflowRunHandlers,
        WorkflowInvocationHandlers,
        RunPayloadHandlers,
        ArtifactHandlers,
        ManifestHandlers,
        TransformPreviewHandlers,
        SessionTransformHandlers,
        NameHandlers,
      ],
      providers: [
        ApplicationBindings,
        Drafts,
        Manifests,
        ObjectSweep,
        StoredObjects,
        NestedRefs,
        ScriptChecks,
        ScriptTexts,
        WorkflowDeletion,
        ReleaseGate,
        WorkflowReleases,
        WorkflowVersions,
        WorkflowWrites,
        Workflows,
        ...RUNS,
        ...runProviders(
          [provideRuns(WorkflowRuns, WorkflowRunSteps)],
          new RunWorkSettings(settings.COMPANY_JOBS_AT_ONCE || undefined),
        ),
        { provide: Egress, useFactory: () => new Egress({ allow: settings.EGRESS_ALLOW }) },
        { provide: ExecuteLimit, useValue: new ExecuteLimit(settings.INVOKE_TIMEOUT_SECONDS * 1000) },
        {
          provide: ScriptRunner,
          inject: [BusClient, BusConnection],
          useFactory: (bus: BusClient, connection: BusConnection) => new BusScriptRunner(bus, connection),
        },
        ...evaluationProviders,
      ],
    };
  }
}
