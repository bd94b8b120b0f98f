import {
  monitorAlerts,
  monitorChecks,
  monitorRuns,
  monitors,
  monitorTargets,
  monitorVersions,
} from '@signalbox/contracts';
import type { Case } from './case.js';
import { eventually } from '../../platform/platform.js';
import type { ConformanceFixtures } from '../fixtures.js';

type Json = Record<string, unknown>;

const once =
  (make: (fixtures: ConformanceFixtures) => Promise<Json>): ((fixtures: ConformanceFixtures) => Promise<Json>) =>
  (fixtures) => {
    let known = created.get(make);
    if (!known) created.set(make, (known = new WeakMap()));
    const resource = known.get(fixtures) ?? make(fixtures);
    known.set(fixtures, resource);
    return resource;
  };
const created = new Map<unknown, WeakMap<ConformanceFixtures, Promise<Json>>>();

const judging = { runner: { resource_type: 'direct' }, result: { default_outcome: 'WARNING' } };
const newMonitor = async (fixtures: ConformanceFixtures): Promise<Json> => {
  const { id } = await fixtures.call(monitors.endpoints.createMonitor, {
    name: fixtures.fresh('Watch'),
    config: judging,
  });
  return { monitor_id: id };
};
const monitor = once(newMonitor);
const newTarget = async (fixtures: ConformanceFixtures): Promise<Json> => {
  const path = await monitor(fixtures);
  const target_id = await fixtures.idOf(fixtures.newIntent());
  const { id } = await fixtures.call(monitorTargets.endpoints.attachMonitorTarget, {
    ...path,
    target_type: 'intent',
    target_id,
  });
  return { ...path, monitor_target_id: id };
};
const target = once(newTarget);
const newVersion = async (fixtures: ConformanceFixtures): Promise<Json> => {
  const path = await monitor(fixtures);
  await fixtures.call(monitors.endpoints.updateMonitor, { ...path, description: fixtures.fresh('changed') });
  const { version_number } = await fixtures.call(monitorVersions.endpoints.publishVersion, path);
  return { ...path, version: version_number };
};
const version = once(newVersion);
const newRelease = async (fixtures: ConformanceFixtures): Promise<Json> => {
  const { name } = await fixtures.call(monitorVersions.endpoints.createRelease, {
    ...(await version(fixtures)),
    name: fixtures.fresh('release'),
  });
  return { ...(await monitor(fixtures)), release_name: name };
};
const release = once(newRelease);
const activated = async (fixtures: ConformanceFixtures): Promise<Json> => {
  const path = await newMonitor(fixtures);
  await fixtures.call(monitors.endpoints.activateMonitor, path);
  return path;
};

async function newRun(fixtures: ConformanceFixtures, config: Json, more: Json = {}): Promise<Json> {
  const { id: monitor_id } = await fixtures.call(monitors.endpoints.createMonitor, {
    name: fixtures.fresh('Watch'),
    config,
    ...more,
  });
  const intent = await fixtures.newIntent();
  const { application_name } = await fixtures.application();
  const path = { monitor_id };
  const attached = { ...path, target_type: 'intent', target_id: intent.id };
  await fixtures.call(monitorTargets.endpoints.attachMonitorTarget, attached);
  await fixtures.call(monitorVersions.endpoints.publishVersion, path);
  await fixtures.call(monitors.endpoints.activateMonitor, path);
  await fixtures.newRequest({ application: application_name, intent: intent.action_type });
  const run = await eventually('the request is judged', async () => {
    const runs = (await fixtures.call(monitorRuns.endpoints.listMonitorRuns, path)) as unknown as Json[];
    return runs[0];
  });
  return { ...path, run_id: run.id, intent_id: intent.id };
}
const judgedRun = once((fixtures) => newRun(fixtures, judging));
const run = async (fixtures: ConformanceFixtures): Promise<Json> => {
  const { intent_id: _intent, ...path } = await judgedRun(fixtures);
  return path;
};
const sampled = async (fixtures: ConformanceFixtures): Promise<Json> => ({
  target_type: 'intent',
  target_id: (await judgedRun(fixtures)).intent_id,
});
const newAlert = async (fixtures: ConformanceFixtures): Promise<Json> => {
  const config = { runner: { resource_type: 'direct' }, result: { default_outcome: 'FAULT' } };
  const alert_rules = [{ metric: 'consecutive_faults', threshold: 1 }];
  const { monitor_id } = await newRun(fixtures, config, { alert_rules });
  // Rules are evaluated after the run, in a separate job.
  const alert = await eventually('the alert is opened', async () => {
    const alerts = (await fixtures.call(monitorAlerts.endpoints.listMonitorAlerts, {
      monitor_id,
    })) as unknown as Json[];
    return alerts[0];
  });
  return { alert_id: alert.id };
};
/** Ends as ERROR: its judge finds no answer. */
const failedRun = async (fixtures: ConformanceFixtures): Promise<Json> => {
  const input = { prompt: 'polite', response_path: 'nowhere' };
  const resource_id = await fixtures.idOf(fixtures.model());
  const { intent_id: _intent, ...path } = await newRun(fixtures, {
    runner: { resource_type: 'model', resource_id, input },
  });
  return path;
};

const newCheck = async (fixtures: ConformanceFixtures): Promise<Json> => ({
  ...(await version(fixtures)),
  test_set_id: await fixtures.idOf(fixtures.testSet()),
});
const check = once(async (fixtures) => {
  const { id } = await fixtures.call(monitorChecks.endpoints.createMonitorCheck, await newCheck(fixtures));
  return { ...(await monitor(fixtures)), check_id: id };
});

export const MONITOR_CASES: Readonly<Record<string, Case>> = {
  'monitors.listMonitors': () => ({ status: ['DRAFT', 'ACTIVE'], target_type: ['intent'] }),
  'monitors.createMonitor': (fixtures) => ({ name: fixtures.fresh('Watch'), config: judging }),
  'monitors.getMonitor': async (fixtures) => ({ ...(await monitor(fixtures)), include_targets: true }),
  'monitors.updateMonitor': async (fixtures) => ({ ...(await monitor(fixtures)), meta: { team: 'a' } }),
  'monitors.deleteMonitor': newMonitor,
  'monitors.activateMonitor': newMonitor,
  'monitors.pauseMonitor': activated,
  'monitors.validateMonitor': async (fixtures) => ({ ...(await monitor(fixtures)), config: { runner: {} } }),
  'monitor-targets.listMonitorTargets': async (fixtures) => ({ ...(await monitor(fixtures)), enabled: true }),
  'monitor-targets.attachMonitorTarget': async (fixtures) => ({
    ...(await monitor(fixtures)),
    target_type: 'agent',
    target_id: await fixtures.idOf(fixtures.newAgent()),
  }),
  'monitor-targets.getMonitorTarget': target,
  'monitor-targets.updateMonitorTarget': async (fixtures) => ({ ...(await target(fixtures)), sample_rate: 10 }),
  'monitor-targets.detachMonitorTarget': newTarget,
  'monitor-targets.enableMonitorTarget': target,
  'monitor-targets.disableMonitorTarget': newTarget,
  'monitor-targets.listMonitorsByTarget': async (fixtures) => ({
    target_type: 'intent',
    target_id: await fixtures.idOf(fixtures.intent()),
  }),
  'monitor-runs.listAllMonitorRuns': async (fixtures) => {
    await run(fixtures);
    return { outcome: ['PASS', 'WARNING'], shadow: false, sort: '-duration_ms' };
  },
  'monitor-runs.listRunsBySource': async (fixtures) => {
    const { request_id } = await fixtures.request();
    return { source_type: 'request', source_id: request_id };
  },
  'monitor-runs.getAnyMonitorRun': async (fixtures) => ({ run_id: (await run(fixtures)).run_id }),
  'monitor-runs.listMonitorRuns': async (fixtures) => ({
    monitor_id: (await run(fixtures)).monitor_id,
    include_body: true,
  }),
  'monitor-runs.getMonitorRun': run,
  'monitor-runs.retryMonitorRun': failedRun,
  'monitor-previews.previewConfig': () => ({ config: judging, payload: { response: 'fine' } }),
  'monitor-previews.previewMonitor': async (fixtures) => ({
    ...(await monitor(fixtures)),
    payload: { response: 'fine' },
  }),
  'monitor-previews.sampleTarget': sampled,
  'monitor-activity.getCompanyActivity': () => ({ bucket: 'hour', outcome: ['FAULT'] }),
  'monitor-activity.getMonitorActivity': async (fixtures) => ({
    monitor_id: (await run(fixtures)).monitor_id,
    group_by: 'version',
  }),
  'monitor-activity.getMonitorMetrics': async (fixtures) => ({ monitor_id: (await run(fixtures)).monitor_id }),
  'monitor-alerts.listMonitorAlerts': () => ({ status: ['open', 'resolved'] }),
  'monitor-alerts.acknowledgeMonitorAlert': newAlert,
  'monitor-alerts.resolveMonitorAlert': newAlert,
  'monitor-checks.listMonitorChecks': monitor,
  'monitor-checks.createMonitorCheck': newCheck,
  'monitor-checks.getMonitorCheck': check,
  'monitor-versions.publishVersion': async (fixtures) => ({ ...(await monitor(fixtures)), increment: 'patch' }),
  'monitor-versions.listVersions': async (fixtures) => {
    await version(fixtures);
    return monitor(fixtures);
  },
  'monitor-versions.diffVersions': async (fixtures) => {
    const { version: from, ...path } = await version(fixtures);
    return { ...path, from };
  },
  'monitor-versions.getVersion': version,
  'monitor-versions.restoreVersion': version,
  'monitor-versions.listReleases': monitor,
  'monitor-versions.createRelease': async (fixtures) => ({
    ...(await version(fixtures)),
    name: fixtures.fresh('release'),
  }),
  'monitor-versions.getRelease': release,
  'monitor-versions.updateRelease': async (fixtures) => ({ ...(await release(fixtures)), version: 'latest' }),
  'monitor-versions.deleteRelease': newRelease,
  'monitor-versions.checkRelease': async (fixtures) => ({ ...(await release(fixtures)), version: 'latest' }),
  'monitor-versions.listReleaseMoves': release,
};
