import { type RunCompany, RunWorld } from '../run-world.js';

export let world: RunWorld;
export let company: RunCompany;
beforeAll(async () => {
  world = await RunWorld.start();
}, 120_000);
afterAll(() => world?.stop());
beforeEach(async () => {
  company = await world.company();
});
