import { requests } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { type RunCompany, RunWorld } from '../run-world.js';
import { PAGE } from '../world.js';

export let world: RunWorld;
/** A new one for each test. */
export let company: RunCompany;
beforeAll(async () => {
  world = await RunWorld.start();
}, 120_000);
afterAll(() => world?.stop());
beforeEach(async () => {
  company = await world.company();
  world.target.answerWith(() => ({}));
  world.provider.answerWith(() => 'hello from the model');
});

export const ASK = `const completion = await ctx.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });`;

/** The requests that a run has made, as traffic recorded them. */
export const recorded = (origin_id: string) =>
  eventually('the requests are recorded', async () => {
    const input = { ...PAGE, origin_id, include_body: true };
    const page = await world.platform.bus.call(requests.endpoints.listRequests, input as never, company.world.caller());
    return page.data.length > 0 ? page.data : undefined;
  });
