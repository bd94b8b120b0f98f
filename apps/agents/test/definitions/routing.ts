import {
  actions,
  agentVersions,
  companies,
  models,
  type InputOf,
  type Route,
  routing,
  type RoutingCondition,
  subAgents,
} from '@signalbox/contracts';
import { PAGE, World } from '../world.js';
import { platform, world } from './fixture.js';

const api = routing.endpoints;
let agentId: number;

type NewRule = InputOf<typeof api.createRoutingRule>;
const says = (value: string, change: Partial<RoutingCondition> = {}): RoutingCondition => ({
  target_type: 'message',
  operator: 'contains',
  value,
  enabled: true,
  ...change,
});
const create = (label: string, change: Partial<NewRule> = {}, caller = world.caller()) =>
  platform.bus.call(
    api.createRoutingRule,
    { agent_id: agentId, label, conditions: [says(label)], route: { type: 'none' }, enabled: true, ...change },
    caller,
  );
const update = (rule_id: number, change: object) =>
  platform.bus.call(api.updateRoutingRule, { agent_id: agentId, rule_id, ...change }, world.caller());
const reorder = (rule_id: number, position?: number) =>
  platform.bus.call(
    api.reorderRoutingRule,
    { agent_id: agentId, rule_id, ...(position === undefined ? {} : { position }) },
    world.caller(),
  );
const get = () => platform.bus.call(api.getRouting, { agent_id: agentId }, world.caller());
const configure = (change: { type?: 'rules' | 'llm'; default?: Route }) =>
  platform.bus.call(api.updateRouting, { agent_id: agentId, ...change }, world.caller());
const test = (text: string, state = {}) =>
  platform.bus.call(
    api.testRouting,
    { agent_id: agentId, messages: [{ role: 'user', content: text }], state },
    world.caller(),
  );

const startWithAnAgent = (): void =>
  beforeEach(async () => {
    agentId = (await world.agent()).id;
  });

describe('routing rules', () => {
  startWithAnAgent();

  it('are kept in order; one without a position goes last, one past the end too', async () => {
    const a = await create('a');
    await create('b');
    await create('c', { position: 0 });
    await create('d', { position: 99 });
    const order = async () => (await get()).rules.map(({ label, position }) => `${position}${label}`);
    expect(await order()).toEqual(['0c', '1a', '2b', '3d']);
    expect((await reorder(a.id)).map(({ label, position }) => `${position}${label}`)).toEqual(['0c', '1b', '2d', '3a']);
    expect((await reorder(a.id, 1)).map(({ label }) => label)).toEqual(['c', 'a', 'b', 'd']);
    expect((await reorder(a.id, 77)).map(({ label }) => label)).toEqual(['c', 'b', 'd', 'a']);
    expect(await update(a.id, { position: 1 })).toMatchObject({ label: 'a', position: 1 });
    expect(await update(a.id, { position: 77, enabled: true })).toMatchObject({ label: 'a', position: 3 });
    const page = await platform.bus.call(
      api.listRoutingRules,
      { ...PAGE, agent_id: agentId, sort: 'position', limit: 2 },
      world.caller(),
    );
    expect(page).toMatchObject({ data: [{ label: 'c' }, { label: 'b' }], pagination: { total: 4 } });
    const { rules } = await get();
    const drop = { agent_id: agentId, rule_id: rules[1]!.id };
    expect(await platform.bus.call(api.deleteRoutingRule, drop, world.caller())).toEqual({
      id: drop.rule_id,
      deleted: true,
    });
    expect(await order()).toEqual(['0c', '1d', '2a']);
    await expect(reorder(drop.rule_id, 0)).rejects.toMatchObject({ status: 404, message: 'routing rule not found' });
    expect((await world.get(agentId)).routing).toEqual(await get());
  });

  it('stay a permutation under 16 parallel moves, additions and deletions', async () => {
    const made: { id: number }[] = [];
    for (const label of ['a', 'b', 'c', 'd', 'e', 'f']) made.push(await create(label));
    await Promise.all(Array.from({ length: 16 }, (_, n) => reorder(made[n % 6]!.id, (n * 5) % 7)));
    const positions = async () => (await get()).rules.map(({ position }) => position);
    expect(await positions()).toEqual([0, 1, 2, 3, 4, 5]);
    await Promise.all([
      ...Array.from({ length: 6 }, (_, n) => create(`new ${n}`, { position: n })),
      ...made
        .slice(0, 3)
        .map(({ id }) => platform.bus.call(api.deleteRoutingRule, { agent_id: agentId, rule_id: id }, world.caller())),
      ...made.slice(3).map(({ id }, n) => reorder(id, n)),
    ]);
    expect(await positions()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('are refused with expressions and patterns that do not fit, also against what is stored', async () => {
    await expect(create('a', { condition_expression: '0 AND 1' })).rejects.toMatchObject({
      status: 400,
      extras: { details: [{ field: 'condition_expression' }] },
    });
    const bad = [says('(', { operator: 'matches' })];
    await expect(create('a', { conditions: bad })).rejects.toMatchObject({ status: 422 });
    const { id } = await create('a', { conditions: [says('x'), says('y')], condition_expression: '0 OR 1' });
    await expect(update(id, { conditions: [says('x')] })).rejects.toMatchObject({ status: 400 });
    await expect(update(id, { condition_expression: '2' })).rejects.toMatchObject({ status: 400 });
    await expect(update(id, { conditions: bad, condition_expression: null })).rejects.toMatchObject({ status: 422 });
    expect(await update(id, { conditions: [says('z')], condition_expression: null })).toMatchObject({
      condition_expression: null,
      conditions: [says('z')],
      label: 'a',
    });
  });

  it('lead to own sub-agents and own actions only, which stay as long as a route leads there', async () => {
    const other = await world.agent({ agent_name: 'Other' });
    const foreign = await world.action(other.id, 'look up');
    const own = await world.action(agentId, 'look up');
    for (const route of [
      { type: 'agent' as const, agent_id: other.id },
      { type: 'action' as const, action_id: foreign.id },
    ]) {
      await expect(create('a', { route })).rejects.toMatchObject({ status: 404 });
      await expect(configure({ default: route })).rejects.toMatchObject({ status: 404 });
    }
    const link = { agent_id: agentId, child_agent_id: other.id };
    await platform.bus.call(
      subAgents.endpoints.addSubAgent,
      { ...link, action_result_type: 'gather_info' },
      world.caller(),
    );
    const { id } = await create('a', { route: { type: 'agent', agent_id: other.id } });
    await configure({ default: { type: 'action', action_id: own.id } });
    const unlink = () => platform.bus.call(subAgents.endpoints.removeSubAgent, link, world.caller());
    const drop = () => platform.bus.call(actions.endpoints.deleteAction, { action_id: own.id }, world.caller());
    await expect(unlink()).rejects.toMatchObject({ status: 409 });
    await expect(drop()).rejects.toMatchObject({ status: 409 });
    await update(id, { route: { type: 'none' } });
    await configure({ default: { type: 'llm' } });
    await unlink();
    await drop();
  });

  it('of another agent or company are unknown', async () => {
    const { id } = await create('a');
    const other = await world.agent({ agent_name: 'Other' });
    const stranger = await World.make(platform);
    for (const [agent_id, caller, message] of [
      [other.id, world.caller(), 'routing rule not found'],
      [agentId, stranger.caller(), 'agent not found'],
    ] as const) {
      const path = { agent_id, rule_id: id };
      for (const endpoint of [api.getRoutingRule, api.updateRoutingRule, api.deleteRoutingRule, api.reorderRoutingRule])
        await expect(
          platform.bus.call(
            endpoint as typeof api.updateRoutingRule,
            endpoint === api.updateRoutingRule ? { ...path, label: 'x' } : path,
            caller,
          ),
        ).rejects.toMatchObject({ status: 404, message });
    }
    await expect(platform.bus.call(api.getRouting, { agent_id: agentId }, stranger.caller())).rejects.toMatchObject({
      message: 'agent not found',
    });
  });

  it('are emitted and audited as changes of the agent', async () => {
    const { id } = await create('a');
    await configure({ type: 'rules' });
    await configure({});
    await reorder(id);
    expect(await world.events('agent', agentId)).toEqual([
      'agent.created',
      'agent.routing_updated',
      'agent.routing_updated',
      'agent.routing_updated',
    ]);
    expect((await world.audits('agent', agentId))[1]).toMatchObject({
      before: { routing: { rules: [] } },
      after: { routing: { rules: [{ id }] } },
    });
    expect((await get()).config).toEqual({ type: 'rules', default: { type: 'llm' } });
  });

  it('come back with a version, and their routes lead to the actions of the same names', async () => {
    const action = await world.action(agentId, 'look up');
    const rule = await create('a', { route: { type: 'action', action_id: action.id } });
    await configure({ default: { type: 'action', action_id: action.id } });
    await world.publish(agentId);
    await update(rule.id, { route: { type: 'none' } });
    await configure({ default: { type: 'none' } });
    expect((await world.get(agentId)).has_unpublished_changes).toBe(true);
    const rename = { action_id: action.id, action_name: 'old' };
    await platform.bus.call(actions.endpoints.updateAction, rename, world.caller());
    const fresh = await world.action(agentId, 'look up');
    const version = { agent_id: agentId, version: '1.0.0' };
    const after = await platform.bus.call(agentVersions.endpoints.restoreVersion, version, world.caller());
    expect(after.actions.map(({ id }) => id)).toEqual([fresh.id]);
    expect(after.routing).toMatchObject({
      config: { default: { type: 'action', action_id: fresh.id } },
      rules: [{ id: rule.id, route: { type: 'action', action_id: fresh.id } }],
    });
    expect(after.has_unpublished_changes).toBe(false);
    const query = { agent_id: agentId, from: '1.0.0', to: 'draft' };
    expect(await platform.bus.call(agentVersions.endpoints.diffVersions, query, world.caller())).toMatchObject({
      has_changes: false,
    });
  });
});

describe('a test of the routing', () => {
  startWithAnAgent();

  it('takes the first enabled rule that matches, else the default', async () => {
    await create('off', { enabled: false, conditions: [says('order')] });
    const first = await create('order', { conditions: [says('order'), says('\\d{2}', { operator: 'matches' })] });
    const second = await create('any', {
      conditions: [says('pro', { target_type: 'state', variable_path: 'plan', operator: 'equals' }), says('order')],
      condition_expression: '0 OR 1',
      route: { type: 'llm' },
    });
    await configure({ type: 'rules', default: { type: 'none' } });
    expect(await test('order 42')).toEqual({
      matched_rule_id: first.id,
      route: { type: 'none' },
      evaluations: [{ rule_id: first.id, passed: true, conditions: [true, true] }],
    });
    expect(await test('hello', { plan: 'pro' })).toEqual({
      matched_rule_id: second.id,
      route: { type: 'llm' },
      evaluations: [
        { rule_id: first.id, passed: false, conditions: [false, false] },
        { rule_id: second.id, passed: true, conditions: [true, false] },
      ],
    });
    expect(await test('hello')).toMatchObject({ matched_rule_id: null, route: { type: 'none' } });
    expect(await world.events('agent', agentId)).toHaveLength(5);
  });

  it('asks the model of the company about conditions that need one', async () => {
    const { id } = await create('class', { conditions: [says('complaint', { operator: 'classify', threshold: 0 })] });
    // The built-in model answers with the smallest instance of the schema: yes, with no confidence at all.
    expect(await test('this is bad')).toMatchObject({ matched_rule_id: id });
    await update(id, { conditions: [says('complaint', { operator: 'classify' })] });
    expect(await test('this is bad')).toMatchObject({ matched_rule_id: null });
    await update(id, { conditions: [says('complaint', { operator: 'not_classify' })] });
    expect(await test('this is bad')).toMatchObject({ matched_rule_id: id });
  });

  it('answers 400 when a model is needed and there is none', async () => {
    await create('class', { conditions: [says('complaint', { operator: 'sem_match' })] });
    const model = await world.model('judge');
    await platform.bus.call(companies.endpoints.updateCompany, { settings: { judge_model: 'judge' } }, world.caller());
    await platform.bus.call(models.endpoints.disableModel, { model_id: model.id }, world.caller());
    await expect(test('x')).rejects.toMatchObject({ status: 400 });
  });
});
