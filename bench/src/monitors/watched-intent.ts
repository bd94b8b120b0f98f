import {
  applications,
  emptyMonitorConfig,
  type Intent,
  intents,
  type Monitor,
  monitors,
  monitorTargets,
  monitorVersions,
} from '@signalbox/contracts';
import type { Platform } from '@signalbox/testing';

/** The services that take part in monitored calls. */
export const WATCHED = ['accounts', 'traffic', 'agents', 'monitors', 'gateway'];

/** Within this time all is judged: it fails what hangs, and a busy machine takes minutes. */
export const JUDGED_MS = 600_000;
/** Name of the application whose intents the benches call. */
export const APPLICATION = 'Bench';

/** An intent of the application, created with it. */
export async function createIntent(platform: Platform, companyId: number, action_type: string): Promise<Intent> {
  const caller = platform.caller(companyId);
  const page = { offset: 0, limit: 1, sort: '-id', search: APPLICATION };
  const { data } = await platform.bus.call(applications.endpoints.listApplications, page, caller);
  const application =
    data[0] ??
    (await platform.bus.call(
      applications.endpoints.createApplication,
      { application_name: APPLICATION, state: 'ENABLED', meta: {} },
      caller,
    ));
  const body = { application_id: application.id, action_type, config: {}, meta: {} };
  return platform.bus.call(intents.endpoints.createIntent, body, caller);
}

/** An active monitor that judges every request of an intent by a condition on its answer. */
export async function watch(platform: Platform, companyId: number, intent: Intent): Promise<Monitor> {
  const caller = platform.caller(companyId);
  const path = 'response.choices[0].message.content';
  const condition = { kind: 'condition', source: 'json', path, operator: 'is_empty' } as const;
  const config = {
    ...emptyMonitorConfig(),
    runner: { resource_type: 'direct' as const, input: {} },
    result: {
      fault: { kind: 'group' as const, op: 'AND' as const, children: [condition] },
      default_outcome: 'PASS' as const,
    },
  };
  const body = { name: `watches ${intent.action_type}`, description: '', config, meta: {}, alert_rules: [] };
  const { id: monitor_id } = await platform.bus.call(monitors.endpoints.createMonitor, body, caller);
  const target = { monitor_id, target_type: 'intent', target_id: intent.id, sample_rate: 100, enabled: true } as const;
  await platform.bus.call(monitorTargets.endpoints.attachMonitorTarget, target, caller);
  const publish = { monitor_id, increment: 'minor', version_notes: '' } as const;
  await platform.bus.call(monitorVersions.endpoints.publishVersion, publish, caller);
  return platform.bus.call(monitors.endpoints.activateMonitor, { monitor_id }, caller);
}
