import {
  agentManifests,
  agents,
  applications,
  formFields,
  type InputOf,
  type ManifestAgent,
  routing,
  subAgents,
} from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { PAGE, World } from '../world.js';
import { platform, world } from './stage.js';

const api = agentManifests.endpoints;

type Import = InputOf<typeof api.importAgents>;
const action = (action_name: string) => ({
  action_name,
  action_type: 'llm' as const,
  description: 'does it',
  enabled: true,
  action_config: { prompt: 'Say hi' },
  meta: {},
  is_default: false,
  action_result_type: 'gather_info' as const,
  invocation_mode: 'foreground' as const,
});
const SHOP = { ref_name: 'shop-two', name: 'Shop two' };
const bring = (manifest: ManifestAgent[], change: Partial<Import> = {}, caller = world.caller()) =>
  platform.bus.call(
    api.importAgents,
    { application: SHOP, agents: manifest, on_conflict: 'error', prune: false, ...change },
    caller,
  );
const take = (agent_id: number, version?: string) =>
  platform.bus.call(api.exportAgent, { agent_id, ...(version ? { version } : {}) }, world.caller());
const clone = (agent_id: number, agent_name: string, change: object = {}, caller = world.caller()) =>
  platform.bus.call(api.cloneAgent, { agent_id, agent_name, ...change }, caller);

const outcome = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: Error) => error.message,
  );

const FRONT: ManifestAgent = {
  name: 'Front',
  description: 'greets',
  instructions: 'Be kind',
  execution_mode: 'route',
  actions: [action('greet')],
  handoffs: ['Back'],
  form_fields: [
    {
      field_key: 'plan',
      label: 'Plan',
      field_type: 'enum',
      required: true,
      enum_values: ['a', 'b'],
      read_scope: 'all',
      write_scope: 'self',
    },
  ],
  routing: {
    config: { type: 'rules', default: { type: 'action', action: 'greet' } },
    rules: [
      {
        label: 'orders',
        conditions: [{ target_type: 'message', operator: 'contains', value: 'order', enabled: true }],
        route: { type: 'agent', agent: 'Back' },
        enabled: true,
      },
    ],
  },
};
const BACK: ManifestAgent = { name: 'Back', instructions: 'Look orders up' };

describe('an import', () => {
  it('makes the application and its agents, linked by name', async () => {
    const done = await bring([FRONT, BACK]);
    const application = await platform.bus.call(
      applications.endpoints.getApplication,
      { application_id: done.application_id },
      world.caller(),
    );
    expect(application).toMatchObject({ application_ref_name: 'shop-two', application_name: 'Shop two' });
    const [front, back] = done.agents;
    expect(done).toMatchObject({ agents: [{ name: 'Front', status: 'created' }, { status: 'created' }], warnings: [] });
    expect(front?.subagent_links).toMatchObject([{ agent_id: front?.id, child_agent_id: back?.id, version: null }]);
    const made = await world.get(front!.id);
    expect(made).toMatchObject({
      application_name: 'Shop two',
      system_prompt: 'Be kind',
      execution_mode: 'route',
      actions: [{ id: front!.action_ids[0], action_name: 'greet' }],
      form_fields: [{ field_key: 'plan', write_scope: 'self' }],
      routing: {
        config: { type: 'rules', default: { type: 'action', action_id: front!.action_ids[0] } },
        rules: [{ label: 'orders', route: { type: 'agent', agent_id: back!.id } }],
      },
      has_unpublished_changes: true,
    });
    expect(await world.events('agent', front!.id)).toEqual(['agent.created']);
  });

  it('of what was exported changes nothing', async () => {
    const [front] = (await bring([FRONT, BACK])).agents;
    const before = await world.get(front!.id);
    const { application, agents: exported } = await take(front!.id);
    expect(application).toEqual(SHOP);
    const again = await bring(exported, { on_conflict: 'update', prune: true });
    expect(again.agents).toEqual([{ ...front, status: 'unchanged' }]);
    expect(await bring([FRONT, BACK], { on_conflict: 'update' })).toMatchObject({
      agents: [{ status: 'unchanged' }, { status: 'unchanged' }],
    });
    expect(await world.get(front!.id)).toEqual(before);
    expect(await world.events('agent', front!.id)).toEqual(['agent.created']);
  });

  it('writes nothing when one of its agents is there already', async () => {
    await bring([BACK]);
    await expect(bring([FRONT, BACK])).rejects.toMatchObject({
      status: 409,
      extras: { details: [{ field: 'agents[1].name' }] },
    });
    const page = await platform.bus.call(agents.endpoints.listAgents, PAGE, world.caller());
    expect(page.data.map(({ agent_name }) => agent_name)).toEqual(['Back']);
  });

  it('updates what is there: by name, keeping ids; the rest goes only with prune', async () => {
    const [front] = (await bring([FRONT, BACK])).agents;
    const change: ManifestAgent = { name: 'Front', description: 'new', actions: [action('wave')], handoffs: [] };
    const [kept] = (await bring([change], { on_conflict: 'update' })).agents;
    expect(kept).toMatchObject({ id: front!.id, status: 'updated' });
    expect(kept?.warnings).toHaveLength(2);
    expect(kept?.action_ids).toEqual([front!.action_ids[0], expect.any(Number)]);
    expect(await world.get(front!.id)).toMatchObject({ description: 'new', system_prompt: 'Be kind', action_count: 2 });
    await expect(bring([change], { on_conflict: 'update', prune: true })).rejects.toMatchObject({ status: 400 });
    const rules = { config: { type: 'llm' as const, default: { type: 'llm' as const } }, rules: [] };
    const [pruned] = (await bring([{ ...change, routing: rules }], { on_conflict: 'update', prune: true })).agents;
    expect(pruned).toMatchObject({ status: 'updated', subagent_links: [], action_ids: [kept!.action_ids[1]] });
    expect((await world.audits('agent', front!.id)).map((entry) => entry.action)).toEqual([
      'create',
      'import',
      'import',
    ]);
  });

  it('is refused with circles and with names that lead nowhere, and then writes nothing', async () => {
    await expect(bring([FRONT, { ...BACK, handoffs: ['Front'] }])).rejects.toMatchObject({ status: 409 });
    await expect(bring([FRONT])).rejects.toMatchObject({
      status: 400,
      extras: { details: [{ field: 'agents[0].handoffs[0]' }] },
    });
    const known = await platform.bus.call(applications.endpoints.listApplications, PAGE, world.caller());
    expect(known.data.map(({ application_ref_name }) => application_ref_name)).toEqual(['shop']);
    await bring([FRONT, BACK]);
    const back: ManifestAgent = { name: 'Back', handoffs: ['Front'] };
    await expect(bring([{ name: 'Third' }, back], { on_conflict: 'update' })).rejects.toMatchObject({ status: 409 });
    const page = await platform.bus.call(agents.endpoints.listAgents, { ...PAGE, sort: 'id' }, world.caller());
    expect(page.data.map(({ agent_name }) => agent_name).sort()).toEqual(['Back', 'Front']);
  });

  it('is refused with a schema that is none, named by its place', async () => {
    const response_format = { type: 'json_schema' as const, json_schema: { name: 'x', schema: { type: 'nothing' } } };
    const says = { ...action('greet'), action_config: { prompt: 'Say hi', response_format } };
    await expect(bring([BACK, { name: 'Third', actions: [says] }])).rejects.toMatchObject({
      status: 422,
      extras: { details: [{ field: 'agents[1].actions[0].action_config.response_format.json_schema.schema' }] },
    });
    await expect(bring([{ ...BACK, response_format }])).rejects.toMatchObject({ status: 422 });
  });

  it('leaves no application behind when what it needs goes while the application is made', async () => {
    const { id } = await world.agent({ agent_name: 'Back' });
    const gate = await platform.sql.connect();
    let outcomes: [string, string];
    try {
      await gate.query('BEGIN; LOCK TABLE traffic.applications IN SHARE ROW EXCLUSIVE MODE');
      const imported = outcome(bring([FRONT]));
      const waits = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'traffic.applications'::regclass`;
      await eventually('the application is being made', async () => (await platform.sql.query(waits)).rowCount);
      const removed = outcome(platform.bus.call(agents.endpoints.deleteAgent, { agent_id: id }, world.caller()));
      await Promise.race([removed, new Promise((resolve) => setTimeout(resolve, 500))]);
      await gate.query('ROLLBACK');
      outcomes = [await imported, await removed];
    } finally {
      gate.release(true);
    }
    const page = await platform.bus.call(applications.endpoints.listApplications, PAGE, world.caller());
    expect({ outcomes, made: page.data.map(({ application_ref_name }) => application_ref_name) }).toEqual({
      outcomes: ['done', expect.stringContaining('the agent is a sub-agent of agent') as string],
      made: ['shop-two', 'shop'],
    });
  });

  it('goes into an application that somebody else makes meanwhile', async () => {
    const found = await Promise.all(
      Array.from({ length: 6 }, (_, at) => bring([{ name: `Agent ${at}` }], { on_conflict: 'update' })),
    );
    expect(new Set(found.map(({ application_id }) => application_id)).size).toBe(1);
    const page = await platform.bus.call(agents.endpoints.listAgents, PAGE, world.caller());
    expect(page.pagination.total).toBe(6);
  });

  it('of the same manifest by several at once makes each agent once', async () => {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => bring([FRONT, BACK])));
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 409 });
    await bring([FRONT, BACK], { on_conflict: 'update' });
    const page = await platform.bus.call(agents.endpoints.listAgents, PAGE, world.caller());
    expect(page.pagination.total).toBe(2);
  });
});

describe('an export', () => {
  it('is of the draft, or of a version', async () => {
    const { id } = await world.agent({ system_prompt: 'old' });
    await world.publish(id);
    await platform.bus.call(agents.endpoints.updateAgent, { agent_id: id, system_prompt: 'new' }, world.caller());
    expect((await take(id)).agents).toMatchObject([{ name: 'Helper', instructions: 'new' }]);
    expect((await take(id, '1.0.0')).agents).toMatchObject([{ name: 'Helper', instructions: 'old' }]);
    await expect(take(id, '2.0.0')).rejects.toMatchObject({ message: 'version not found' });
    const stranger = await World.make(platform);
    await expect(platform.bus.call(api.exportAgent, { agent_id: id }, stranger.caller())).rejects.toMatchObject({
      message: 'agent not found',
    });
  });
});

describe('a clone', () => {
  it('has the draft of its model with parts of its own', async () => {
    const [front] = (await bring([FRONT, BACK])).agents;
    const made = await clone(front!.id, 'Copy');
    const model = await world.get(front!.id);
    expect(made).toMatchObject({
      agent_name: 'Copy',
      application_id: model.application_id,
      system_prompt: 'Be kind',
      sub_agents: [{ child_agent_id: model.sub_agents[0]!.child_agent_id, agent_id: made.id }],
      latest_version: null,
    });
    expect(made.actions[0]).toMatchObject({ action_name: 'greet', agent_id: made.id });
    expect(made.actions[0]!.id).not.toBe(model.actions[0]!.id);
    expect(made.routing.config.default).toEqual({ type: 'action', action_id: made.actions[0]!.id });
    expect(made.form_fields[0]!.id).not.toBe(model.form_fields[0]!.id);
    expect(await world.get(front!.id)).toEqual(model);
    expect(await world.events('agent', made.id)).toEqual(['agent.created']);
    const path = { agent_id: made.id };
    expect(await platform.bus.call(routing.endpoints.getRouting, path, world.caller())).toEqual(made.routing);
    for (const endpoint of [formFields.endpoints.listFormFields, subAgents.endpoints.listSubAgents])
      expect(
        (
          await platform.bus.call(
            endpoint as typeof subAgents.endpoints.listSubAgents,
            { ...PAGE, ...path },
            world.caller(),
          )
        ).data,
      ).toHaveLength(1);
  });

  it('needs a free name and a known application', async () => {
    const { id } = await world.agent();
    await expect(clone(id, 'Helper')).rejects.toMatchObject({ status: 409 });
    const { application_id } = await bring([BACK]);
    expect(await clone(id, 'Helper', { application_id })).toMatchObject({ application_name: 'Shop two' });
    await expect(clone(id, 'X', { application_id: 2_000_000_000 })).rejects.toMatchObject({ status: 404 });
    const stranger = await World.make(platform);
    await expect(clone(id, 'X', {}, stranger.caller())).rejects.toMatchObject({ message: 'agent not found' });
  });
});
