import { type CheckRun, monitorChecks, testSetItems, testSets, type TestSetItem } from '@signalbox/contracts';
import { eventually, type ModelProvider, Platform, startModelProvider } from '@signalbox/testing';
import { direct, when, World } from '../world.js';

export let platform: Platform;
export let world: World;
export let outside: ModelProvider;
beforeAll(async () => {
  outside = await startModelProvider();
  platform = await Platform.shared(['accounts', 'traffic', 'agents', 'monitors', 'workflows', 'runner', 'test-runs']);
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await outside.close();
});
beforeEach(async () => {
  world = await World.make(platform);
});

export const api = monitorChecks.endpoints;
export const SAID = 'response.choices[0].message.content';
const RUDE = direct(when(SAID, 'contains', 'stupid'));

export const set = async (name = 'Golden'): Promise<number> => {
  const body = { name, consumer_kinds: [], criteria_ids: [], tags: [], meta: {} };
  return (await platform.bus.call(testSets.endpoints.createTestSet, body, world.caller())).id;
};
export const add = (
  test_set_id: number,
  answer: string | null,
  meta: Record<string, unknown> = {},
): Promise<TestSetItem> =>
  platform.bus.call(
    testSetItems.endpoints.createTestSetItem,
    {
      test_set_id,
      input: { messages: [{ role: 'user', content: 'hello' }] },
      expected_output: answer === null ? null : { text: answer },
      meta,
    },
    world.caller(),
  );

/** A published monitor of an intent. */
export async function published(): Promise<number> {
  const { id } = await world.monitor({ config: RUDE });
  await world.attach(id, 'intent', (await world.intent()).id);
  await world.publish(id);
  return id;
}

export const remove = (test_set_id: number) =>
  platform.bus.call(testSets.endpoints.deleteTestSet, { test_set_id }, world.caller());
export const start = (monitor_id: number, test_set_id: number, version = '1.0.0') =>
  platform.bus.call(api.createMonitorCheck, { monitor_id, version, test_set_id }, world.caller());
export const completed = (monitor_id: number, check_id: number): Promise<CheckRun> =>
  eventually('the check is completed', async () => {
    const check = await platform.bus.call(api.getMonitorCheck, { monitor_id, check_id }, world.caller());
    return check.status === 'COMPLETED' ? check : null;
  });
export const checked = async (monitor_id: number, test_set_id: number): Promise<CheckRun> =>
  completed(monitor_id, (await start(monitor_id, test_set_id)).id);
