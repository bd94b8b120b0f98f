import { agentVersions, agents, applications, type ManifestAgent, subAgents } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { PAGE, World } from '../../world.js';
import { platform, world } from '../fixture.js';
import { publishWorkflow, workflowOf } from '../workflows.js';
import { action, BACK, bring, FRONT, SHOP, take } from './fixture.js';

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

  it('writes nothing when one of its agents exists already', async () => {
    await bring([BACK]);
    await expect(bring([FRONT, BACK])).rejects.toMatchObject({
      status: 409,
      extras: { details: [{ field: 'agents[1].name' }] },
    });
    const page = await platform.bus.call(agents.endpoints.listAgents, PAGE, world.caller());
    expect(page.data.map(({ agent_name }) => agent_name)).toEqual(['Back']);
  });

  it('gives no draft to an agent that runs elsewhere', async () => {
    const { application_id } = await bring([BACK]);
    const away = await world.agent({ application_id, agent_name: 'Away', kind: 'EXTERNAL' });
    const change = { name: 'Away', instructions: 'Be kind' };
    await expect(bring([BACK, change], { on_conflict: 'update' })).rejects.toMatchObject({
      status: 409,
      extras: { details: [{ field: 'agents[1].name', message: 'is EXTERNAL' }] },
    });
    expect(await world.get(away.id)).toMatchObject({ system_prompt: null });
  });

  it('updates what exists: by name, keeping ids; the rest goes only with prune', async () => {
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
      'import',
      'import',
      'import',
    ]);
  });

  it('is refused with circles, and then writes nothing', async () => {
    await expect(bring([FRONT, { ...BACK, handoffs: ['Front'] }])).rejects.toMatchObject({ status: 409 });
    const known = await platform.bus.call(applications.endpoints.listApplications, PAGE, world.caller());
    expect(known.data.map(({ application_ref_name }) => application_ref_name)).toEqual(['shop']);
    await bring([FRONT, BACK]);
    const back: ManifestAgent = { name: 'Back', handoffs: ['Front'] };
    await expect(bring([{ name: 'Third' }, back], { on_conflict: 'update' })).rejects.toMatchObject({ status: 409 });
    const page = await platform.bus.call(agents.endpoints.listAgents, { ...PAGE, sort: 'id' }, world.caller());
    expect(page.data.map(({ agent_name }) => agent_name).sort()).toEqual(['Back', 'Front']);
  });

  it('leaves out what it cannot find in the target application, and reports it', async () => {
    // Of the same name, in another application of the company.
    await world.agent({ agent_name: 'Back' });
    const says = { ...action('say'), action_config: { prompt: 'x', model_config: { model: 'none' } } };
    const runs = { ...action('run'), action_type: 'maitai_workflow' as const, action_config: { workflow_id: 7 } };
    const front = { ...FRONT, model: 'none', actions: [action('greet'), says, runs] };
    const done = await bring([{ name: 'First', status: 'DISABLED' }, front]);
    expect(done.warnings.map(({ path }) => path).sort()).toEqual([
      'agents[1].actions[1].action_config.model_config.model',
      'agents[1].actions[2].action_config.workflow_id',
      'agents[1].handoffs[0]',
      'agents[1].model',
      'agents[1].routing.rules[0].route.agent',
    ]);
    expect(done.agents.map(({ warnings }) => warnings.length)).toEqual([0, 5]);
    expect(await world.get(done.agents[0]!.id)).toMatchObject({ status: 'DISABLED' });
    expect(await world.get(done.agents[1]!.id)).toMatchObject({
      model: null,
      sub_agents: [],
      actions: [{ action_name: 'greet' }, { action_config: { model_config: {} } }, { action_config: null }],
      routing: { rules: [{ route: { type: 'none' } }] },
    });
  });

  it('finds workflows by their reference names, and leaves out those that do not exist', async () => {
    const { id: workflow_id, workflow_ref_name: workflow } = await workflowOf(world, 'flow');
    const run = (action_name: string, action_config: object) => ({
      ...action(action_name),
      action_type: 'maitai_workflow' as const,
      action_config: { input_mapping: { a: 'b' }, ...action_config },
    });
    const runs = [
      run('one', { workflow }),
      run('two', { workflow, version: '9.0.0' }),
      run('three', { workflow: 'no' }),
    ];
    const done = await bring([{ name: 'Front', actions: runs }]);
    expect(done.warnings).toEqual([
      { path: 'agents[0].actions[1].action_config.version', message: 'workflow flow has no version 9.0.0' },
      {
        path: 'agents[0].actions[2].action_config.workflow',
        message: 'workflow no does not exist: the action has no configuration',
      },
    ]);
    const { id } = done.agents[0]!;
    expect((await world.get(id)).actions).toMatchObject([
      { action_name: 'one', action_config: { workflow_id, input_mapping: { a: 'b' } } },
      { action_name: 'two', action_config: { workflow_id, version: null } },
      { action_name: 'three', action_config: null },
    ]);
    const { agents: exported } = await take(id);
    expect(exported[0]?.actions).toMatchObject([
      { action_config: { workflow, input_mapping: { a: 'b' } } },
      { action_config: { workflow } },
      { action_config: null },
    ]);
    expect(JSON.stringify(exported)).not.toContain('workflow_id');
    expect(await bring(exported, { on_conflict: 'update', prune: true })).toMatchObject({
      agents: [{ id, status: 'unchanged' }],
      warnings: [],
    });
    const elsewhere = await World.make(platform);
    const other = await workflowOf(elsewhere, 'flow');
    const copy = await bring(exported, {}, elsewhere.caller());
    expect((await elsewhere.get(copy.agents[0]!.id)).actions?.[0]).toMatchObject({
      action_config: { workflow_id: other.id },
    });
  });

  it('pins what is named with latest to the version that is the latest then', async () => {
    const { id: workflow_id } = await workflowOf(world, 'flow');
    const run = {
      ...action('run'),
      action_type: 'maitai_workflow' as const,
      action_config: { workflow: 'flow', version: 'latest' },
    };
    const handoffs = [{ name: 'Back', version: 'latest', action_result_type: 'gather_info' as const }];
    const front = { ...FRONT, actions: [action('greet'), run], handoffs };
    const early = await bring([front, BACK]);
    expect(early.warnings).toEqual([
      { path: 'agents[0].actions[1].action_config.version', message: 'workflow flow has no version latest' },
      { path: 'agents[0].handoffs[0].version', message: 'agent Back has no version latest' },
    ]);
    const [, back] = early.agents;
    await publishWorkflow(world, workflow_id);
    await world.publish(back!.id);
    const again = () => bring([front], { on_conflict: 'update' });
    const pinned = await again();
    expect(pinned).toMatchObject({
      agents: [{ status: 'updated', subagent_links: [{ version: '1.0.0' }] }],
      warnings: [],
    });
    const { actions = [] } = await world.get(pinned.agents[0]!.id);
    expect(actions[1]).toMatchObject({ action_config: { workflow_id, version: '1.0.0' } });
    expect(await again()).toMatchObject({ agents: [{ status: 'unchanged' }] });
    await world.publish(back!.id);
    expect(await again()).toMatchObject({ agents: [{ status: 'updated', subagent_links: [{ version: '1.1.0' }] }] });
  });

  it('of a version carries what the draft named, without what the publish filled in', async () => {
    const { id: workflow_id } = await workflowOf(world, 'flow');
    await publishWorkflow(world, workflow_id);
    const run = { ...action('run'), action_type: 'maitai_workflow' as const, action_config: { workflow: 'flow' } };
    const [front] = (await bring([{ name: 'Front', actions: [run] }])).agents;
    await world.publish(front!.id);
    const { agents: exported } = await take(front!.id, '1.0.0');
    expect(exported[0]?.actions).toMatchObject([{ action_config: { workflow: 'flow', version: null } }]);
    expect(await bring(exported, { on_conflict: 'update' })).toMatchObject({ agents: [{ status: 'unchanged' }] });
  });

  it('carries what a link is pinned to, as far as the application has it', async () => {
    const [front, back] = (await bring([FRONT, BACK])).agents;
    await world.publish(back!.id);
    const release = { agent_id: back!.id, name: 'live', version: 'latest', is_default: false };
    await platform.bus.call(agentVersions.endpoints.createRelease, release, world.caller());
    const link = { agent_id: front!.id, child_agent_id: back!.id, release: 'live' };
    const change = { ...link, action_result_type: 'complete_task' as const };
    await platform.bus.call(subAgents.endpoints.updateSubAgent, change, world.caller());
    const { agents: taken } = await take(front!.id, undefined);
    expect(taken[0]?.handoffs).toEqual([
      { name: 'Back', version: null, release: 'live', action_result_type: 'complete_task' },
    ]);
    const same = await bring(taken, { on_conflict: 'update', prune: true });
    expect(same).toMatchObject({ agents: [{ status: 'unchanged' }], warnings: [] });
    const renamed = [{ ...taken[0]!, name: 'Second' }];
    const [second] = (await bring(renamed)).agents;
    expect(second?.subagent_links).toMatchObject([{ release: 'live', action_result_type: 'complete_task' }]);
    const elsewhere = await bring([...taken, BACK], { application: { ref_name: 'third', name: 'Third' } });
    expect(elsewhere.warnings.map(({ path }) => path)).toEqual(['agents[0].handoffs[0].release']);
    expect(elsewhere.agents[0]?.subagent_links).toMatchObject([{ release: null, action_result_type: 'complete_task' }]);
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

  it('goes into an application that another call creates meanwhile', async () => {
    const imports = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => bring([{ name: `Agent ${from + at}` }], { on_conflict: 'update' }));
    // Some begin before the application exists, some when it does but may not be known to agents, and some after.
    const before = imports(0, 7);
    await eventually('the application exists', async () => {
      const page = await platform.bus.call(applications.endpoints.listApplications, PAGE, world.caller());
      return page.pagination.total > 0;
    });
    const meanwhile = imports(7, 14);
    await Promise.race(before);
    const found = await Promise.all([...before, ...meanwhile, ...imports(14, 20)]);
    expect(new Set(found.map(({ application_id }) => application_id)).size).toBe(1);
    const page = await platform.bus.call(agents.endpoints.listAgents, PAGE, world.caller());
    expect(page.pagination.total).toBe(20);
  });

  it('of the same manifest by several at once makes each agent once', async () => {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => bring([FRONT, BACK])));
    const made = results.filter((result) => result.status === 'fulfilled');
    expect(made).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 409 });
    const page = await platform.bus.call(agents.endpoints.listAgents, PAGE, world.caller());
    expect(page.pagination.total).toBe(2);
  });
});
