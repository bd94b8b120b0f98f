import {
  type AgentManifest,
  agentManifests,
  agents,
  formFields,
  type ManifestAgent,
  type ManifestRoute,
  routing,
  subAgents,
} from '@signalbox/contracts';
import fc from 'fast-check';
import { PAGE, World } from '../../world.js';
import { platform, world } from '../fixture.js';
import { BACK, bring, FRONT, take } from './fixture.js';

const api = agentManifests.endpoints;

describe('an export', () => {
  const name = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9 _"'%{}-]{0,18}[a-z]$/);
  const text = fc.string({ maxLength: 60, unit: 'grapheme' }).filter((value) => !value.includes('\\0'));
  const route = (actionNames: string[]): fc.Arbitrary<ManifestRoute> =>
    fc.oneof(
      fc.constantFrom<ManifestRoute>({ type: 'llm' }, { type: 'none' }, { type: 'agent', agent: 'Back' }),
      ...actionNames.map((action_name) => fc.constant<ManifestRoute>({ type: 'action', action: action_name })),
    );
  const anyAction = fc.record({
    action_name: name,
    action_type: fc.constant('llm' as const),
    description: text,
    enabled: fc.boolean(),
    action_config: fc.option(fc.record({ prompt: text, model_config: fc.constant({ temperature: 0.5 }) })),
    meta: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
    is_default: fc.constant(false),
    action_result_type: fc.constantFrom('gather_info' as const, 'complete_task' as const),
    invocation_mode: fc.constantFrom('foreground' as const, 'background' as const),
  });
  const anyField = fc.record({
    field_key: fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/),
    label: name,
    field_type: fc.constant('string' as const),
    description: fc.option(text),
    required: fc.boolean(),
    enum_values: fc.constant(null),
    default_value: fc.option(text),
    read_scope: fc.constantFrom('all' as const, 'self' as const),
    write_scope: fc.constantFrom('all' as const, 'self' as const),
  });
  const anyAgent: fc.Arbitrary<ManifestAgent> = fc
    .uniqueArray(anyAction, { maxLength: 5, selector: ({ action_name }) => action_name })
    .chain((given) =>
      fc.record({
        name: fc.constant('Front'),
        status: fc.constantFrom('ENABLED' as const, 'DISABLED' as const),
        description: fc.option(text),
        instructions: fc.option(text),
        execution_mode: fc.constantFrom('reasoning' as const, 'route' as const),
        model: fc.constantFrom(null, 'simulated-echo'),
        agent_config: fc.constantFrom({}, { temperature: 1, team: 'a' }, { steps: { respond: { prompt: 'p' } } }),
        max_iterations: fc.integer({ min: 1, max: 100 }),
        max_cost: fc.option(fc.constantFrom(0, 0.5, 10_000)),
        meta: fc.constantFrom({}, { a: [1, { b: null }] }),
        actions: fc.constant(given),
        handoffs: fc.constant(['Back', { name: 'Aside', action_result_type: 'complete_task' as const }]),
        form_fields: fc.uniqueArray(anyField, { maxLength: 4, selector: ({ field_key }) => field_key }),
        routing: fc.record({
          config: fc.record({
            type: fc.constantFrom('rules' as const, 'llm' as const),
            default: route(given.map(({ action_name }) => action_name)),
          }),
          rules: fc.array(
            fc.record({
              label: name,
              conditions: fc.constant([
                { target_type: 'message' as const, operator: 'contains' as const, value: 'x', enabled: true },
              ]),
              route: route(given.map(({ action_name }) => action_name)),
              enabled: fc.boolean(),
            }),
            { maxLength: 4 },
          ),
        }),
      }),
    );

  it('that is imported elsewhere is exported the same, whatever the agent is made of', async () => {
    let at = 0;
    const round = async (agent: ManifestAgent): Promise<AgentManifest> => {
      const application = { ref_name: `round-${++at}`, name: 'Round' };
      const done = await bring([{ name: 'Aside' }, agent, BACK], { application });
      expect(done.warnings).toEqual([]);
      return take(done.agents[1]!.id);
    };
    await fc.assert(
      fc.asyncProperty(anyAgent, async (agent) => {
        const first = await round(agent);
        const second = await round(first.agents[0]!);
        expect(second.agents).toEqual(first.agents);
        const names = (agent.actions ?? []).map(({ action_name }) => action_name);
        expect(first.agents[0]?.actions?.map(({ action_name }) => action_name)).toEqual(names);
        expect(first.agents[0]).toMatchObject({ status: agent.status, instructions: agent.instructions });
      }),
      { numRuns: 25 },
    );
  });

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

const clone = (agent_id: number, agent_name: string, change: object = {}, caller = world.caller()) =>
  platform.bus.call(api.cloneAgent, { agent_id, agent_name, ...change }, caller);

describe('a clone', () => {
  it('has the draft of its model with separate parts', async () => {
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
