import { setTimeout as pause } from 'node:timers/promises';
import { type Task, type TestRun, ConflictError, type Signalbox } from '@signalbox/sdk';
import { nullIfNotFound } from '../null-if-not-found.js';

export const TESTED = 'tested';
const SET = 'Order desk';
const LIMIT_MS = 60_000;
const POLL_MS = 250;

export async function collect(api: Signalbox, tasks: readonly Task[]): Promise<{ id: number; items: number }> {
  const data = await api.testSets.list({ search: SET }).all();
  const known = data.find(({ name }) => name === SET);
  const { id } = known ?? (await api.testSets.create({ name: SET }));
  for (const { id: agent_task_id } of known ? [] : tasks)
    await api.testSets.importAgentTask({ test_set_id: id, agent_task_id });
  const { item_count } = await api.testSets.get({ test_set_id: id });
  return { id, items: item_count };
}

/** Also publishes a version without a test run. */
export async function guard(api: Signalbox, agent_id: number, test_set_id: number, version: string): Promise<string> {
  const gate_policy = { test_set_id, min_match_rate: 1, max_age_ms: 3_600_000, max_error_rate: 0 };
  const place = { agent_id, release_name: TESTED };
  const known = await api.agents.getRelease(place).catch(nullIfNotFound);
  if (!known) await api.agents.createRelease({ agent_id, name: TESTED, version });
  await api.agents.updateRelease({ ...place, gate_policy });
  const published = await api.agents.publishVersion({ agent_id, version_notes: 'To be tested' });
  return published.version;
}

/** Returns the reason when the gate refuses. */
export async function move(api: Signalbox, agent_id: number, version: string): Promise<string | null> {
  const place = { agent_id, release_name: TESTED };
  try {
    await api.agents.updateRelease({ ...place, version });
    return null;
  } catch (error) {
    if (error instanceof ConflictError) return error.message;
    throw error;
  }
}

export async function test(api: Signalbox, agent_id: number, test_set_id: number, version: string): Promise<TestRun> {
  const { id } = await api.testRuns.create({
    test_set_id,
    consumer_kind: 'AGENT',
    consumer_config: { agent_id, version },
    auto_score: true,
  });
  await api.testRuns.prepare({ id });
  await api.testRuns.execute({ id });
  for (const until = Date.now() + LIMIT_MS; ;) {
    const run = await api.testRuns.get({ id });
    if (run.status === 'COMPLETED' || Date.now() > until) return run;
    await pause(POLL_MS);
  }
}
