import { setTimeout as delay } from 'node:timers/promises';
import type { ListedMonitorRun, Monitor, Task } from '@signalbox/contracts';
import type { PublicApi } from '../public-api.js';

const MONITOR = 'Order desk monitor (demo)';
const JUDGED_MS = 15_000;
const PAUSE_MS = 200;

/** Answers that only echo the question, as those of the built-in model do. */
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

/** A published, active monitor of the agent; found when an earlier run has created it. */
export async function watchAgent(api: PublicApi, agentId: number): Promise<Monitor> {
  const known = (await api.call('GET /monitors', { limit: 100, search: MONITOR })).find(({ name }) => name === MONITOR);
  const { id: monitor_id } =
    known ??
    (await api.call('POST /monitors', { name: MONITOR, description: 'Created by npm run demo', config: CONFIG }));
  const { targets = [], latest_version_number } = await api.call('GET /monitors/{monitor_id}', { monitor_id });
  if (!targets.some(({ target_type, target_id }) => target_type === 'agent' && target_id === agentId))
    await api.call('POST /monitors/{monitor_id}/targets', { monitor_id, target_type: 'agent', target_id: agentId });
  if (latest_version_number === null) await api.call('POST /monitors/{monitor_id}/versions', { monitor_id });
  return api.call('PUT /monitors/{monitor_id}/activate', { monitor_id });
}

/** The judgements of tasks, which come shortly after their end; those that came in time. */
export async function verdictsOf(
  api: PublicApi,
  monitorId: number,
  tasks: readonly Task[],
): Promise<ListedMonitorRun[]> {
  const end = Date.now() + JUDGED_MS;
  for (;;) {
    const runs = await api.call('GET /monitors/{monitor_id}/runs', { monitor_id: monitorId, limit: 100 });
    const own = runs.filter(({ source_id }) => tasks.some(({ id }) => id === source_id));
    if (own.length >= tasks.length || Date.now() > end) return own;
    await delay(PAUSE_MS);
  }
}
