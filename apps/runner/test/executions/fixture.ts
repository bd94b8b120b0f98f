import { executionOf, RecordingHost, RunnerWorld } from '../world.js';

export let world: RunnerWorld;
beforeAll(async () => {
  world = await RunnerWorld.start();
}, 60_000);
afterAll(() => world.stop());

export const outputOf = async (script: string, argument: object = { input: null }, host = new RecordingHost()) => {
  // Megabytes take a slow machine long.
  const limits = { timeout_ms: 120_000, memory_mb: 64 };
  const result = await world.execute(executionOf(script, { argument, limits }), host);
  if (result.status !== 'completed') throw new Error(JSON.stringify(result));
  return result.output;
};
