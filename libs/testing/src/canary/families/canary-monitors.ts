import {
  models,
  monitorActivity,
  monitorAlerts,
  monitorChecks,
  monitorPreviews,
  monitorRuns,
  monitors,
  monitorTargets,
  monitorVersions,
} from '@signalbox/contracts';
import { eventually } from '../../platform/platform.js';
import { BROKEN_JUDGE, JUDGE, type Json, type JudgedCanaries } from '../judged-canaries.js';

export class CanaryMonitors {
  constructor(private readonly canaries: JudgedCanaries) {}

  async watch(agentId: unknown): Promise<unknown[]> {
    const idOf = async (model_id: string) =>
      (await this.canaries.fixtures.call(models.endpoints.getModel, { model_id })).id;
    const fault = { kind: 'group', op: 'AND', children: [{ kind: 'condition', source: 'text', operator: 'exists' }] };
    const runners = [
      { resource_type: 'model', resource_id: await idOf(JUDGE), input: { prompt: 'Is it right?' } },
      { resource_type: 'model', resource_id: await idOf(BROKEN_JUDGE), input: { prompt: 'Is it right?' } },
      { resource_type: 'direct', input: {} },
    ];
    const rules = ['fault_rate', 'error_rate'].map((metric) => ({
      metric,
      threshold: 0.9,
      window_ms: 3_600_000,
      min_runs: 1,
    }));
    return Promise.all(
      runners.map(async (runner) => {
        const config = { runner, ...(runner.resource_type === 'direct' ? { result: { fault } } : {}) };
        const body = { name: this.canaries.fixtures.fresh('Canary'), config, alert_rules: rules };
        const { id: monitor_id } = await this.canaries.fixtures.call(monitors.endpoints.createMonitor, body);
        const target = { monitor_id, target_type: 'agent', target_id: agentId };
        await this.canaries.fixtures.call(monitorTargets.endpoints.attachMonitorTarget, target);
        await this.canaries.fixtures.call(monitorVersions.endpoints.publishVersion, { monitor_id });
        await this.canaries.fixtures.call(monitors.endpoints.activateMonitor, { monitor_id });
        return monitor_id;
      }),
    );
  }

  async readRuns(monitorIds: readonly unknown[], count: number): Promise<void> {
    const { client } = this.canaries;
    await eventually(
      'every task is judged',
      async () => {
        const found = await client.get<Json[]>(monitorRuns.endpoints.listAllMonitorRuns, { limit: 100 });
        return found.length >= count * monitorIds.length;
      },
      60_000,
    );
    const runs = await client.get<Json[]>(monitorRuns.endpoints.listAllMonitorRuns, {
      limit: 100,
      include_body: true,
    });
    for (const { id: run_id, runner_type, outcome } of runs) {
      await client.send(monitorRuns.endpoints.getAnyMonitorRun, { run_id });
      this.canaries.note(`monitor ${String(runner_type)}`, [outcome]);
    }
    for (const monitor_id of monitorIds)
      for (const endpoint of [monitors.endpoints.getMonitor, monitorActivity.endpoints.getMonitorMetrics])
        await client.send(endpoint, { monitor_id });
    const alerts = await eventually(
      'alerts are open',
      async () => {
        const found = await client.get<Json[]>(monitorAlerts.endpoints.listMonitorAlerts, { limit: 100 });
        return found.length >= monitorIds.length ? found : undefined;
      },
      30_000,
    );
    this.canaries.note(
      'alert',
      alerts.map(({ status }) => status),
    );
    const preview = { source_type: 'agent_task', source_id: runs[0]?.source_id };
    for (const monitor_id of monitorIds)
      await client.send(monitorPreviews.endpoints.previewMonitor, { monitor_id, ...preview });
  }

  async check(monitorIds: readonly unknown[], test_set_id: unknown): Promise<void> {
    const { client } = this.canaries;
    for (const monitor_id of monitorIds) {
      const body = { monitor_id, test_set_id, version: 'latest' };
      const { id: check_id } = await this.canaries.fixtures.call(monitorChecks.endpoints.createMonitorCheck, body);
      const { items } = await eventually(
        'the check is completed',
        async () => {
          const check = await client.get<Json>(monitorChecks.endpoints.getMonitorCheck, { monitor_id, check_id });
          return check.status === 'COMPLETED' ? check : undefined;
        },
        60_000,
      );
      this.canaries.note(
        'check',
        (items as Json[]).map(({ outcome }) => outcome),
      );
    }
  }
}
