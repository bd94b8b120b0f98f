import { setTimeout as delay } from 'node:timers/promises';
import type { ListedMonitorRun, Monitor, Task, Signalbox } from '@signalbox/sdk';

const MONITOR = 'Order desk monitor (demo)';
const JUDGED_MS = 15_000;
const PAUSE_MS = 200;

/** Fails answers that only echo the question, as the built-in model does. */
const CONFIG = {
  runner: { resource_type: 'direct' as const, input: {} },
  result: {
    default_outcome: 'PASS' as const,
    fault: {
      kind: 'group' as const,
      op: 'AND' as const,
      children: [
        {
          kind: 'condition' as const,
          id: 'only an echo',
          source: 'json' as const,
          path: 'output.content',
          operator: 'contains' as const,
          value: '[simulated]',
        },
      ],
    },
  },
  limits: { timeout_ms: 60_000 },
};

/** An earlier run may have created it. */
export async function watchAgent(api: Signalbox, agentId: number): Promise<Monitor> {
  const known = (await api.monitors.list({ limit: 100, search: MONITOR }).all()).find(({ name }) => name === MONITOR);
  const { id: monitor_id } =
    known ?? (await api.monitors.create({ name: MONITOR, description: 'Created by npm run demo', config: CONFIG }));
  const { targets = [], latest_version_number } = await api.monitors.get({ monitor_id });
  if (!targets.some(({ target_type, target_id }) => target_type === 'agent' && target_id === agentId))
    await api.monitors.attachTarget({ monitor_id, target_type: 'agent', target_id: agentId });
  if (latest_version_number === null) await api.monitors.publishVersion({ monitor_id });
  return api.monitors.activate({ monitor_id });
}

/** Judgements come shortly after the end of a task; returns those that came in time. */
export async function verdictsOf(
  api: Signalbox,
  monitorId: number,
  tasks: readonly Task[],
): Promise<ListedMonitorRun[]> {
  const end = Date.now() + JUDGED_MS;
  for (;;) {
    const runs = await api.monitors.listRuns({ monitor_id: monitorId, limit: 100 }).all();
    const own = runs.filter(({ source_id }) => tasks.some(({ id }) => id === source_id));
    if (own.length >= tasks.length || Date.now() > end) return own;
    await delay(PAUSE_MS);
  }
}
