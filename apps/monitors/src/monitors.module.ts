import { type DynamicModule, Module } from '@nestjs/common';
import { BusModule, CompanyProfiles, ReleaseGate } from '@signalbox/bus';
import { evaluationProviders } from '@signalbox/conditions';
import { DatabaseModule } from '@signalbox/database';
import type { Settings } from '@signalbox/platform';
import { MonitorActivityHandlers } from './activity/activity.handlers.js';
import { ActivityCounts } from './activity/activity.repository.js';
import { AlertEvaluation } from './alerts/alert-evaluation.worker.js';
import { MonitorAlertHandlers } from './alerts/alerts.handlers.js';
import { MonitorAlerts } from './alerts/alerts.repository.js';
import { Budgets } from './budgets/budgets.repository.js';
import { CheckItems } from './checks/check-items.repository.js';
import { CheckJudging } from './checks/check-judging.worker.js';
import { CheckedSets } from './checks/checked-sets.js';
import { MonitorCheckHandlers } from './checks/checks.handlers.js';
import { MonitorChecks } from './checks/checks.repository.js';
import { ENTITIES } from './entities.js';
import { Judge } from './judging/judge.js';
import { PendingRuns } from './judging/pending-runs.repository.js';
import { RunJudging } from './judging/run-judging.worker.js';
import { SourceReader } from './judging/source-reader.js';
import { WorkflowRunner } from './judging/workflow-runner.js';
import { NameHandlers } from './names.handlers.js';
import { ConfigChecks } from './monitors/config-checks.js';
import { MonitorHandlers } from './monitors/monitors.handlers.js';
import { Monitors } from './monitors/monitors.repository.js';
import { MonitorPreviewHandlers } from './previews/previews.handlers.js';
import { RunRetention } from './runs/run-retention.worker.js';
import { RunRetry } from './runs/run-retry.js';
import { MonitorRunHandlers } from './runs/runs.handlers.js';
import { Runs } from './runs/runs.repository.js';
import { DirectJudgements } from './sampling/direct-judgements.js';
import { Samples } from './sampling/samples.repository.js';
import { Sampling } from './sampling/sampling.handlers.js';
import { MonitorLinkHandlers } from './targets/monitor-links.handlers.js';
import { TargetResources } from './targets/target-resources.js';
import { MonitorTargetHandlers } from './targets/targets.handlers.js';
import { MonitorTargets } from './targets/targets.repository.js';
import { MonitorVersionHandlers } from './versions/monitor-versions.handlers.js';
import { MonitorReleases } from './versions/releases.repository.js';
import { MonitorVersions } from './versions/versions.repository.js';

type MonitorSettings = Settings<'NATS_URL' | 'DATABASE_URL' | 'WORKER_DATABASE_URL'>;

/** Monitors, their targets, versions, releases and runs. */
@Module({})
export class MonitorsModule {
  static with(settings: MonitorSettings): DynamicModule {
    return {
      module: MonitorsModule,
      imports: [
        BusModule.forService({ name: 'monitors', url: settings.NATS_URL, database: true }),
        DatabaseModule.forService({
          service: 'monitors',
          url: settings.DATABASE_URL,
          workerUrl: settings.WORKER_DATABASE_URL,
          entities: ENTITIES,
        }),
      ],
      controllers: [
        MonitorHandlers,
        MonitorTargetHandlers,
        MonitorVersionHandlers,
        MonitorLinkHandlers,
        MonitorRunHandlers,
        MonitorPreviewHandlers,
        MonitorActivityHandlers,
        MonitorAlertHandlers,
        MonitorCheckHandlers,
        NameHandlers,
      ],
      providers: [
        ConfigChecks,
        Monitors,
        MonitorTargets,
        TargetResources,
        MonitorVersions,
        MonitorReleases,
        ActivityCounts,
        AlertEvaluation,
        Budgets,
        MonitorAlerts,
        MonitorChecks,
        CheckItems,
        CheckJudging,
        CheckedSets,
        CompanyProfiles,
        ReleaseGate,
        RunRetention,
        Judge,
        PendingRuns,
        RunJudging,
        RunRetry,
        Runs,
        DirectJudgements,
        Samples,
        Sampling,
        SourceReader,
        WorkflowRunner,
        ...evaluationProviders,
      ],
    };
  }
}
