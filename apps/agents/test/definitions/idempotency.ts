import {
  agentManifests,
  agents,
  applications,
  type Caller,
  routing,
  type RoutingCondition,
} from '@signalbox/contracts';
import { PAGE } from '../world.js';
import { platform, world } from './fixture.js';

let key = 0;
/** A caller whose client has sent an idempotency key. */
const claimed = (route: string): Caller =>
  world.caller({ idempotency: { key: `claim ${++key}`, route, bodyHash: 'h' } });

/** A condition that a model decides. */
const judged = (value: string): RoutingCondition => ({
  target_type: 'message',
  operator: 'sem_match',
  value,
  threshold: 0,
  enabled: true,
});

const { importAgents } = agentManifests.endpoints;
const manifest = (agentsOf: string[]) => ({
  application: { ref_name: `imported-${key}`, name: `Imported ${key}` },
  agents: agentsOf.map((name) => ({ name, instructions: 'Help.' })),
  on_conflict: 'error' as const,
  prune: false,
});

describe('a call with an idempotency key', () => {
  it('that asks other services for what they change can be repeated after a failure in the middle', async () => {
    const caller = claimed('POST /agents/import');
    const body = manifest(['One', 'Two']);
    // The application is made by another service before the agents fail to be written.
    await platform.sql.query(`
      CREATE OR REPLACE FUNCTION agents.fail_once() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN IF NEW.agent_name = 'Two' THEN RAISE EXCEPTION 'no room'; END IF; RETURN NEW; END $$;
      CREATE TRIGGER fail_once BEFORE INSERT ON agents.agents FOR EACH ROW EXECUTE FUNCTION agents.fail_once()`);
    await expect(platform.bus.call(importAgents, body, caller)).rejects.toThrow();
    await platform.sql.query('DROP TRIGGER fail_once ON agents.agents; DROP FUNCTION agents.fail_once()');
    const done = await platform.bus.call(importAgents, body, caller);
    expect(done.agents.map(({ name, status }) => [name, status])).toEqual([
      ['One', 'created'],
      ['Two', 'created'],
    ]);
    expect(await platform.bus.call(importAgents, body, caller)).toEqual(done);
    const list = { ...PAGE, search: body.application.ref_name };
    const found = await platform.bus.call(applications.endpoints.listApplications, list, world.caller());
    expect(found.pagination.total).toBe(1);
    const made = { ...PAGE, application_id: done.application_id };
    expect((await platform.bus.call(agents.endpoints.listAgents, made, world.caller())).pagination.total).toBe(2);
  });

  it('judges each condition of a routing test by a separate model call', async () => {
    const { id: agent_id } = await world.agent();
    for (const label of ['first', 'second'])
      await platform.bus.call(
        routing.endpoints.createRoutingRule,
        {
          agent_id,
          label,
          enabled: true,
          route: { type: 'none' },
          conditions: [judged(label), judged(`not ${label}`)],
        },
        world.caller(),
      );
    const caller = claimed(`POST /agents/${agent_id}/routing/test`);
    const input = { agent_id, messages: [{ role: 'user' as const, content: 'hello' }], state: {} };
    const first = await platform.bus.call(routing.endpoints.testRouting, input, caller);
    expect(await platform.bus.call(routing.endpoints.testRouting, input, caller)).toEqual(first);
  });
});
