// What other services do with workflows: models of chat completions, actions of agents, releases, applications.
import { type RunCompany, RunWorld } from '../run-world.js';

export let world: RunWorld;
export let company: RunCompany;
beforeAll(async () => {
  world = await RunWorld.start('test-runs');
}, 120_000);
afterAll(() => world?.stop());
beforeEach(async () => {
  company = await world.company();
  await company.model();
});

export const bus = () => world.platform.bus;
export const caller = () => company.world.caller();
