import type { Task, TestRun } from '@signalbox/contracts';
import { ApiRefusal, type PublicApi } from '../public-api.js';

/** The release that moves only to tested versions. */
export const TESTED = 'tested';
const SET = 'Order desk';
const LIMIT_MS = 60_000;
const POLL_MS = 250;

/** Collects tasks in a test set, unless they are there already; returns its id. */
export async function collect(api: PublicApi, tasks: readonly Task[]): Promise<{ id: number; items: number }> {
  const data = await api.call('GET /unified-test-sets', { search: SET });
  const known = data.find(({ name }) => name === SET);
  const { id } = known ?? (await api.call('POST /unified-test-sets', { name: SET }));
  for (const { id: agent_task_id } of known ? [] : tasks)
    await api.call('POST /unified-test-sets/{test_set_id}/import-agent-task', { test_set_id: id, agent_task_id });
  const { item_count } = await api.call('GET /unified-test-sets/{test_set_id}', { test_set_id: id });
  return { id, items: item_count };
}

/** Guards the release by a test set, and publishes a version without a test run. */
export async function guard(api: PublicApi, agent_id: number, test_set_id: number, version: string): Promise<string> {
  const gate_policy = { test_set_id, min_match_rate: 1, max_age_ms: 3_600_000, max_error_rate: 0 };
  const place = { agent_id, release_name: TESTED };
  const known = await api.call('GET /agents/{agent_id}/releases/{release_name}', place).catch(missing);
  if (!known) await api.call('POST /agents/{agent_id}/releases', { agent_id, name: TESTED, version });
  await api.call('PUT /agents/{agent_id}/releases/{release_name}', { ...place, gate_policy });
  const published = await api.call('POST /agents/{agent_id}/versions', { agent_id, version_notes: 'To be tested' });
  return published.version;
}

/** Moves the release; returns the reason when its gate refuses. */
export async function move(api: PublicApi, agent_id: number, version: string): Promise<string | null> {
  const place = { agent_id, release_name: TESTED };
  try {
    await api.call('PUT /agents/{agent_id}/releases/{release_name}', { ...place, version });
    return null;
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === 409) return error.message;
    throw error;
  }
}

/** Runs the test set against a version and scores it. */
export async function test(api: PublicApi, agent_id: number, test_set_id: number, version: string): Promise<TestRun> {
  const { id } = await api.call('POST /unified-test-runs', {
    test_set_id,
    consumer_kind: 'AGENT',
    consumer_config: { agent_id, version },
    auto_score: true,
  });
  await api.call('POST /unified-test-runs/{id}/prepare', { id });
  await api.call('POST /unified-test-runs/{id}/execute', { id });
  for (const until = Date.now() + LIMIT_MS; ;) {
    const run = await api.call('GET /unified-test-runs/{id}', { id });
    if (run.status === 'COMPLETED' || Date.now() > until) return run;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function missing(error: unknown): null {
  if (error instanceof ApiRefusal && error.status === 404) return null;
  throw error;
}
