import { timeScale } from '@signalbox/testing';
import { actions, type AgentAction, type InputOf } from '@signalbox/contracts';
import { PAGE, World } from '../world.js';
import { platform, world } from './fixture.js';

const api = actions.endpoints;
let agentId: number;

type Change = Partial<InputOf<typeof api.updateAction>>;
const update = (action_id: number, change: Change): Promise<AgentAction> =>
  platform.bus.call(api.updateAction, { action_id, ...change }, world.caller());
const read = (action_id: number): Promise<AgentAction> =>
  platform.bus.call(api.getAction, { action_id }, world.caller());

describe('actions', () => {
  beforeEach(async () => {
    agentId = (await world.agent()).id;
  });

  it('are refused with a response format whose schema is none, once everything else is right', async () => {
    const schema = { type: 'nothing' };
    const response_format = { type: 'json_schema', json_schema: { name: 'x', schema } };
    const action_config = { prompt: 'Say hi', response_format };
    const bad = { status: 422, extras: { details: [{ field: 'action_config.response_format.json_schema.schema' }] } };
    const create = (agent_id: number) => world.action(agent_id, 'say', { action_type: 'llm', action_config });
    await expect(create(agentId)).rejects.toMatchObject(bad);
    await expect(create(2_000_000_000)).rejects.toMatchObject({ status: 404 });
    const { id } = await world.action(agentId, 'say', { action_type: 'llm', action_config: { prompt: 'Say hi' } });
    await expect(update(id, { action_config })).rejects.toMatchObject(bad);
    await expect(update(id, { action_config: { response_format } })).rejects.toMatchObject({ status: 400 });
    await expect(update(2_000_000_000, { action_config })).rejects.toMatchObject({ status: 404 });
  });

  it('are stored with the defaults of their type; their creation time is in ISO 8601', async () => {
    const made = await world.action(agentId, 'look up');
    expect(made).toEqual({
      id: made.id,
      agent_id: agentId,
      action_name: 'look up',
      action_type: 'api',
      description: 'does it',
      enabled: true,
      status: 'ENABLED',
      action_config: {
        endpoint: 'https://api.example.com/x',
        method: 'POST',
        headers: {},
        query: {},
        parameters: {},
        timeout_ms: 30_000,
      },
      meta: {},
      is_default: false,
      action_result_type: 'gather_info',
      invocation_mode: 'foreground',
      date_created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown,
    });
    expect(Math.abs(Date.parse(made.date_created) - Date.now())).toBeLessThan(10_000 * timeScale());
    expect(await read(made.id)).toEqual(made);
  });

  it('are judged again when their type or configuration changes', async () => {
    const { id } = await world.action(agentId, 'look up');
    await expect(update(id, { action_type: 'llm' })).rejects.toMatchObject({ status: 400 });
    const changed = await update(id, { action_type: 'llm', action_config: { prompt: 'Say hi' } });
    expect(changed).toMatchObject({ action_type: 'llm', action_config: { prompt: 'Say hi', model_config: {} } });
    await expect(update(id, { action_config: { prompt: 'Tell {{secrets.TOKEN}}' } })).rejects.toMatchObject({
      extras: { details: [{ field: 'action_config.prompt' }] },
    });
    expect(await read(id)).toEqual(changed);
  });

  it('have names that are unique on their agent', async () => {
    const first = await world.action(agentId, 'a');
    const second = await world.action(agentId, 'b');
    await expect(world.action(agentId, 'a')).rejects.toMatchObject({ status: 409 });
    await expect(update(second.id, { action_name: 'a' })).rejects.toMatchObject({ status: 409 });
    await platform.bus.call(api.deleteAction, { action_id: first.id }, world.caller());
    expect(await update(second.id, { action_name: 'a' })).toMatchObject({ action_name: 'a' });
    const other = await world.agent({ agent_name: 'Other' });
    await world.action(other.id, 'a');
  });

  it('have one default, also when 16 claim it at once', async () => {
    const made = await Promise.all(Array.from({ length: 16 }, (_, n) => world.action(agentId, `action ${n}`)));
    const rounds = await Promise.allSettled(made.map(({ id }) => update(id, { is_default: true })));
    expect(rounds.filter(({ status }) => status === 'rejected')).toEqual([]);
    const page = await platform.bus.call(api.listActions, { ...PAGE, agent_id: agentId }, world.caller());
    expect(page.data.filter(({ is_default }) => is_default)).toHaveLength(1);
    await world.action(agentId, 'newest', { is_default: true });
    const agent = await world.get(agentId);
    expect(agent.actions.filter(({ is_default }) => is_default).map((action) => action.action_name)).toEqual([
      'newest',
    ]);
    expect(agent.action_count).toBe(17);
  });

  it('in the background are never the default', async () => {
    const { id } = await world.action(agentId, 'bg', { invocation_mode: 'background' });
    await expect(update(id, { is_default: true })).rejects.toMatchObject({ status: 400 });
    await expect(
      world.action(agentId, 'bg 2', { invocation_mode: 'background', is_default: true }),
    ).rejects.toMatchObject({ status: 400 });
  });

  it('are switched on and off; the same state is no change and no event', async () => {
    const { id } = await world.action(agentId, 'a');
    const turn = (endpoint: typeof api.enableAction | typeof api.disableAction) =>
      platform.bus.call(endpoint, { action_id: id }, world.caller());
    expect(await turn(api.enableAction)).toMatchObject({ enabled: true });
    expect(await turn(api.disableAction)).toMatchObject({ enabled: false, status: 'DISABLED' });
    const off = await turn(api.disableAction);
    expect(await read(id)).toEqual(off);
    await turn(api.enableAction);
    expect(await world.events('agent_action', id)).toEqual([
      'agent_action.created',
      'agent_action.disabled',
      'agent_action.enabled',
    ]);
    expect((await world.audits('agent_action', id)).map(({ action }) => action)).toEqual([
      'create',
      'disable',
      'enable',
    ]);
  });

  it('are listed by agent and by whether they are enabled', async () => {
    const on = await world.action(agentId, 'on');
    const off = await world.action(agentId, 'off', { enabled: false });
    const list = async (change: object) =>
      (await platform.bus.call(api.listActions, { ...PAGE, agent_id: agentId, ...change }, world.caller())).data;
    expect(await list({})).toEqual([off, on]);
    expect(await list({ enabled: true })).toEqual([on]);
    expect(await list({ search: 'OFF' })).toEqual([off]);
    await expect(list({ agent_id: 2_000_000_000 })).rejects.toMatchObject({ message: 'agent not found' });
  });

  it('of another company are as unknown as those that never were', async () => {
    const { id } = await world.action(agentId, 'a');
    const stranger = await World.make(platform);
    for (const endpoint of [api.getAction, api.updateAction, api.deleteAction, api.enableAction, api.disableAction])
      for (const action_id of [id, 2_000_000_000])
        await expect(
          platform.bus.call(endpoint as typeof api.getAction, { action_id }, stranger.caller()),
        ).rejects.toMatchObject({ status: 404, message: 'action not found' });
    await expect(stranger.action(agentId, 'mine')).rejects.toMatchObject({ message: 'agent not found' });
    const list = platform.bus.call(api.listActions, { ...PAGE, agent_id: agentId }, stranger.caller());
    await expect(list).rejects.toMatchObject({ message: 'agent not found' });
  });

  it('leave no literal credentials in events and audit entries', async () => {
    const { id } = await world.action(agentId, 'a', {
      action_config: {
        endpoint: 'https://api.example.com/x',
        auth: { type: 'bearer', token: 'l1teral' },
        headers: { 'X-Key': 'l1teral', 'X-Other': '{{secrets.OTHER}}' },
      },
    });
    await update(id, { description: 'new' });
    await update(id, {
      action_config: { endpoint: 'https://api.example.com/x', auth: { type: 'bearer', token: 'other l1teral' } },
    });
    const { rows } = await platform.sql.query('SELECT payload FROM agents.outbox WHERE company_id = $1', [
      world.companyId,
    ]);
    expect(JSON.stringify(rows)).not.toContain('l1teral');
    const [created, updated, replaced] = await world.audits('agent_action', id);
    const masked = { action_config: { auth: { token: '[secret]' } } };
    expect(replaced).toMatchObject({ before: masked, after: masked });
    expect(updated).toMatchObject({ before: {}, after: { description: 'new' } });
    expect(created).toMatchObject({
      after: { action_config: { auth: { token: '[secret]' }, headers: { 'X-Other': '{{secrets.OTHER}}' } } },
    });
  });

  it('are tried with given arguments, unless a secret they name is not given', async () => {
    const tried = (action_id: number) =>
      platform.bus.call(api.testAction, { action_id, arguments: {}, secrets: {} }, world.caller());
    const config = { endpoint: 'https://api.example.com/x', mock_response: { stock: 3 } };
    const { id } = await world.action(agentId, 'look up', { action_config: config });
    expect(await tried(id)).toMatchObject({ status: 'SUCCESS', output: { stock: 3 }, failure_class: null });
    await update(id, { action_config: { ...config, headers: { 'X-Key': '{{secrets.KEY}}' } } });
    await expect(tried(id)).rejects.toMatchObject({ status: 400 });
    await expect(tried(2_000_000_000)).rejects.toMatchObject({ message: 'action not found' });
  });
});
