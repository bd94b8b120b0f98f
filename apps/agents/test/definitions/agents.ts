import { agents, applications } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { PAGE, World } from '../world.js';
import { platform, world } from './fixture.js';

const api = agents.endpoints;

describe('agents', () => {
  it('are made with their defaults and read with their parts', async () => {
    const made = await world.agent({ description: 'helps' });
    expect(made).toMatchObject({
      application_id: world.applicationId,
      application_name: 'Shop',
      agent_name: 'Helper',
      status: 'ENABLED',
      model: null,
      action_count: 0,
      sub_agent_count: 0,
      latest_version: null,
      has_unpublished_changes: true,
      actions: [],
    });
    const action = await world.action(made.id, 'look up');
    expect(await world.get(made.id)).toEqual({ ...made, action_count: 1, actions: [action] });
  });

  it('are refused with a response format whose schema is none, once everything else is right', async () => {
    const format = { type: 'json_schema' as const, json_schema: { name: 'x', schema: { type: 'nothing' } } };
    const bad = { status: 422, extras: { details: [{ field: 'response_format.json_schema.schema' }] } };
    await expect(world.agent({ response_format: format })).rejects.toMatchObject(bad);
    await expect(world.agent({ response_format: format, application_id: 2_000_000_000 })).rejects.toMatchObject({
      status: 404,
    });
    const { id } = await world.agent();
    const change = (agent_id: number) =>
      platform.bus.call(api.updateAgent, { agent_id, response_format: format }, world.caller());
    await expect(change(id)).rejects.toMatchObject(bad);
    await expect(change(2_000_000_000)).rejects.toMatchObject({ status: 404 });
  });

  it('are listed by application, status, name and description, without their parts', async () => {
    const one = await world.agent({ agent_name: 'Apple', model: 'simulated-echo' });
    const berry = {
      agent_name: 'Berry',
      description: '100% RED',
      status: 'DISABLED',
      execution_mode: 'route',
    } as const;
    const two = await world.agent(berry);
    const list = async (change: object) => {
      const page = await platform.bus.call(api.listAgents, { ...PAGE, ...change }, world.caller());
      expect(page.pagination.total).toBe(page.data.length);
      for (const agent of page.data) expect(agent).not.toHaveProperty('actions');
      return page.data.map(({ id }) => id);
    };
    expect(await list({})).toEqual([two.id, one.id]);
    expect(await list({ sort: 'agent_name' })).toEqual([one.id, two.id]);
    expect(await list({ status: ['DISABLED'] })).toEqual([two.id]);
    expect(await list({ application_id: world.applicationId + 1_000_000 })).toEqual([]);
    expect(await list({ status: ['ENABLED', 'DISABLED'] })).toEqual([two.id, one.id]);
    expect(await list({ execution_mode: ['route'] })).toEqual([two.id]);
    expect(await list({ model: ['simulated-echo', 'other'] })).toEqual([one.id]);
    expect(await list({ search: '0% red' })).toEqual([two.id]);
    expect(await list({ search: '%' })).toEqual([two.id]);
    await expect(list({ sort: 'system_prompt' })).rejects.toMatchObject({ status: 400 });
  });

  it('have names that are unique among the living of an application, also when made at once', async () => {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => world.agent()));
    const made = results.filter((result) => result.status === 'fulfilled');
    expect(made).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 409 });
    await platform.bus.call(api.deleteAgent, { agent_id: made[0]!.value.id }, world.caller());
    await world.agent();
  });

  it('need an application of the same company', async () => {
    const other = await World.make(platform);
    for (const application_id of [other.applicationId, 2_000_000_000])
      await expect(world.agent({ application_id })).rejects.toMatchObject({ message: 'application not found' });
  });

  it('follow a rename of their application, and an old name never replaces a newer one', async () => {
    const { id } = await world.agent();
    const rename = (application_name: string) =>
      platform.bus.call(
        applications.endpoints.updateApplication,
        { application_id: world.applicationId, application_name },
        world.caller(),
      );
    await rename('Store');
    await eventually('the new name', async () => (await world.get(id)).application_name === 'Store');
    expect((await world.agent({ agent_name: 'Second' })).application_name).toBe('Store');
    await platform.sql.query(
      `UPDATE agents.application_names SET application_name = 'Newest', date_updated = date_updated + 60000 WHERE company_id = $1`,
      [world.companyId],
    );
    expect((await world.agent({ agent_name: 'Third' })).application_name).toBe('Newest');
  });

  it('change field by field: absent stays, null clears', async () => {
    const { id } = await world.agent({ description: 'old', model: 'simulated-echo', max_cost: 0.25 });
    const update = (change: object) => platform.bus.call(api.updateAgent, { agent_id: id, ...change }, world.caller());
    const after = await update({
      description: null,
      agent_config: { temperature: 0 },
      response_format: { type: 'text' },
    });
    expect(after).toMatchObject({
      description: null,
      model: 'simulated-echo',
      max_cost: 0.25,
      agent_config: { temperature: 0 },
    });
    expect(await update({ response_format: null })).toMatchObject({ response_format: null });
    await expect(update({ base_url: 'http://u:p@a.b/' })).rejects.toMatchObject({ status: 400 });
    await expect(update({ application_id: 1 })).rejects.toMatchObject({ status: 400 });
    expect(await update({})).toEqual(await world.get(id));
    expect(await world.events('agent', id)).toEqual(['agent.created', 'agent.updated', 'agent.updated']);
  });

  it('are switched on and off; the same state is no change and no event', async () => {
    const { id } = await world.agent();
    const off = () => platform.bus.call(api.disableAgent, { agent_id: id }, world.caller());
    const first = await off();
    expect(first.status).toBe('DISABLED');
    expect(await off()).toEqual(first);
    expect(await platform.bus.call(api.enableAgent, { agent_id: id }, world.caller())).toMatchObject({
      status: 'ENABLED',
    });
    expect(await world.events('agent', id)).toEqual(['agent.created', 'agent.disabled', 'agent.enabled']);
    const audits = await world.audits('agent', id);
    expect(audits.map(({ action }) => action)).toEqual(['create', 'disable', 'enable']);
    expect(audits[1]).toMatchObject({ before: { status: 'ENABLED' }, after: { status: 'DISABLED' } });
  });

  it('take their actions with them when they are deleted', async () => {
    const { id } = await world.agent({ system_prompt: 'secret sauce' });
    const action = await world.action(id, 'look up');
    expect(await platform.bus.call(api.deleteAgent, { agent_id: id }, world.caller())).toEqual({ id, deleted: true });
    await expect(world.get(id)).rejects.toMatchObject({ message: 'agent not found' });
    await expect(world.action(id, 'more')).rejects.toMatchObject({ message: 'agent not found' });
    const { rows } = await platform.sql.query('SELECT deleted_at FROM agents.actions WHERE id = $1', [action.id]);
    expect(rows[0].deleted_at).not.toBeNull();
    const { rows: sent } = await platform.sql.query(
      `SELECT payload FROM agents.outbox WHERE company_id = $1 AND subject LIKE 'events.%'`,
      [world.companyId],
    );
    expect(JSON.stringify(sent)).not.toContain('secret sauce');
  });

  it('of another company are as unknown as those that never were', async () => {
    const { id } = await world.agent();
    const stranger = await World.make(platform);
    for (const endpoint of [api.getAgent, api.updateAgent, api.deleteAgent, api.enableAgent, api.disableAgent]) {
      const texts = [];
      for (const agent_id of [id, 2_000_000_000])
        texts.push(
          await platform.bus.call(endpoint as typeof api.getAgent, { agent_id }, stranger.caller()).then(
            () => 'answered',
            (error: Error) => JSON.stringify({ ...error, message: error.message }),
          ),
        );
      expect(texts[0]).toContain('agent not found');
      expect(texts[0]).toBe(texts[1]);
    }
    const page = await platform.bus.call(api.listAgents, PAGE, stranger.caller());
    expect(page.pagination.total).toBe(0);
  });

  it('answer coalesced reads of several companies each with its own', async () => {
    const stranger = await World.make(platform);
    const [mine, theirs] = [await world.agent(), await stranger.agent()];
    const reads = await Promise.allSettled([
      world.get(mine.id),
      stranger.get(mine.id),
      stranger.get(theirs.id),
      world.get(theirs.id),
    ]);
    expect(reads.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  });
});
