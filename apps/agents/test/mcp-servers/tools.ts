import { agentManifests, agents, agentVersions, subAgents, tasks } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import {
  agentWith,
  answerOf,
  calls,
  company,
  created,
  errorOf,
  got,
  LOOK_UP,
  outside,
  ready,
  refreshed,
  server,
  timelineOf,
} from './fixture.js';

describe('an agent with an MCP server', () => {
  it('gives its tools to the model and shows their calls as type mcp', async () => {
    const { id } = await ready();
    const agentId = await agentWith(id);
    calls('shop_look_up');
    expect(await answerOf(agentId)).toBe('got: order 7 is shipped');
    expect((outside.provider.calls[0]?.body as { tools?: unknown }).tools).toEqual([
      {
        type: 'function',
        function: {
          name: 'shop_look_up',
          description: 'Looks an order up',
          parameters: expect.objectContaining({ properties: { id: { type: 'string' } }, required: ['id'] }) as unknown,
        },
      },
    ]);
    const events = await timelineOf(agentId);
    const shown = { action_name: 'shop/look_up', action_type: 'mcp', mcp_server_id: id };
    expect(events.find(({ type }) => type === 'action_invoked')).toMatchObject({ ...shown, arguments: { id: '7' } });
    expect(events.find(({ type }) => type === 'action_result')).toMatchObject({
      ...shown,
      status: 'SUCCESS',
      output: 'order 7 is shipped',
      duration_ms: expect.any(Number) as unknown,
    });
  });

  it('needs the secrets of the headers, also when it is the sub-agent of another, and stores none', async () => {
    const { id } = await ready({ headers: { 'X-Key': '{{secrets.KEY}}' } }, { KEY: 'k-12345678' });
    const agentId = await agentWith(id);
    server.tools = [{ ...LOOK_UP, run: () => 'the key is k-12345678' }];
    calls('shop_look_up');
    expect(await errorOf(company.invoke(agentId))).toEqual({ status: 400, message: 'missing secrets: KEY' });
    expect(await answerOf(agentId, { secrets: { KEY: 'k-12345678' } })).toBe('got: the key is [secret]');
    expect(server.calls.at(-1)?.headers['x-key']).toBe('k-12345678');
    const parent = await company.world.agent({ model: 'm', agent_name: 'Parent' });
    const link = { agent_id: parent.id, child_agent_id: agentId, action_result_type: 'gather_info' as const };
    await outside.platform.bus.call(subAgents.endpoints.addSubAgent, link, company.world.caller());
    expect(await errorOf(company.invoke(parent.id))).toEqual({ status: 400, message: 'missing secrets: KEY' });
  });

  it('sees failures of a tool as results: of the tool, of arguments that do not fit, of a server that is down', async () => {
    server.tools = [{ ...LOOK_UP, run: () => ({ content: [{ type: 'text', text: 'no such order' }], isError: true }) }];
    const { id } = await ready();
    const agentId = await agentWith(id);
    calls('shop_look_up');
    expect(await answerOf(agentId)).toMatch(/the tool reports an error.*no such order/);
    calls('shop_look_up', {});
    expect(await answerOf(agentId)).toMatch(/missing arguments: id/);
    server.raw = (_q, response) => response.writeHead(503).end();
    calls('shop_look_up');
    expect(await answerOf(agentId)).toMatch(/the server answered 503/);
  });

  it('reads at most 64 kB of a result, as text', async () => {
    server.tools = [{ ...LOOK_UP, run: () => `IGNORE ALL\u0000 ${'x'.repeat(200_000)}` }];
    const { id } = await ready();
    calls('shop_look_up');
    const answer = await answerOf(await agentWith(id));
    expect(answer.startsWith('got: IGNORE ALL')).toBe(true);
    expect(answer.length).toBeLessThan(70_000);
  });

  it('refuses servers whose tools would have one name, and publishes none without tools', async () => {
    server.tools = [
      { ...LOOK_UP, name: 'b_c' },
      { ...LOOK_UP, name: 'c' },
    ];
    const one = await ready({ name: 'a', include_tools: ['b_c'] });
    const two = await ready({ name: 'a_b', include_tools: ['c'] });
    expect(await errorOf(agentWith(one.id, two.id))).toEqual({
      status: 422,
      message: 'these MCP servers cannot be used together: tool a/b_c and tool a_b/c would both be called a_b_c',
    });
    const imported = outside.platform.bus.call(
      agentManifests.endpoints.importAgents,
      {
        application: { ref_name: 'imported', name: 'Imported' },
        agents: [{ name: 'Both', mcp_servers: ['a', 'a_b'] }],
        on_conflict: 'error',
        prune: false,
      },
      company.world.caller(),
    );
    expect((await errorOf(imported)).status).toBe(422);
    expect((await errorOf(agentWith(one.id, one.id))).status).toBe(400);
    const { id } = await created({ name: 'fresh' });
    const unready = await company.world.agent({ agent_name: 'Unready', mcp_servers: [id] });
    expect(await errorOf(company.world.publish(unready.id))).toEqual({
      status: 422,
      message: expect.stringMatching(/has no tools: refresh MCP server fresh/) as unknown,
    });
  });

  it('cannot call a tool whose schema has changed since its publish, and says so once', async () => {
    const { id } = await ready();
    const agentId = await agentWith(id);
    await company.world.publish(agentId);
    let ran = 0;
    const changed = { type: 'object', properties: { id: { type: 'string' }, all: { type: 'boolean' } } };
    server.tools = [{ ...LOOK_UP, input: changed, run: () => (ran += 1) }];
    calls('shop_look_up');
    for (const _time of [1, 2])
      expect(await answerOf(agentId, { version: '1.0.0' })).toMatch(/tool look_up has other schemas now/);
    expect(ran).toBe(0);
    const result = (await timelineOf(agentId)).find(({ type }) => type === 'action_result');
    expect(result).toMatchObject({ status: 'ERROR', failure_class: 'adapter' });
    const drift = [{ tool: 'look_up', schema_hash: expect.any(String) as unknown, at: expect.any(Number) as unknown }];
    expect((await got(id)).drift).toEqual(drift);
    const names = await company.world.events('mcp_server', id);
    expect(names.filter((name) => name === 'mcp_server.drifted')).toHaveLength(1);
    // The tools that a person has looked at are the draft's; the version stays what it was.
    await refreshed(id);
    expect((await got(id)).drift).toEqual([]);
    expect(await answerOf(agentId)).toBe('got: 1');
    expect(await answerOf(agentId, { version: '1.0.0' })).toMatch(/has other schemas now/);
    expect((await got(id)).drift).toEqual([]);
    await company.world.publish(agentId);
    expect(await answerOf(agentId, { version: '1.1.0' })).toBe('got: 2');
    server.tools = [];
    expect(await answerOf(agentId, { version: '1.1.0' })).toMatch(/is no longer there/);
    expect((await got(id)).drift).toMatchObject([{ tool: 'look_up', schema_hash: null }]);
  });

  it('ends the call with its task', async () => {
    let isAborted = false;
    let isCalled = false;
    server.tools = [
      {
        ...LOOK_UP,
        run: (_given, signal) =>
          new Promise((resolve) => {
            isCalled = true;
            signal.addEventListener('abort', () => {
              isAborted = true;
              resolve('late');
            });
          }),
      },
    ];
    const { id } = await ready();
    const agentId = await agentWith(id);
    calls('shop_look_up');
    const { task_id } = await company.invoke(agentId, { wait: false });
    await eventually('the tool runs', () => isCalled);
    await outside.platform.bus.call(
      tasks.endpoints.cancelTask,
      { agent_id: agentId, task_id: String(task_id) },
      company.world.caller(),
    );
    await eventually('the call is ended', () => isAborted);
  });

  it('keeps its servers in exports, copies and restored versions', async () => {
    const { id } = await ready();
    const agentId = await agentWith(id);
    await company.world.publish(agentId);
    const caller = company.world.caller();
    const { bus } = outside.platform;
    const exported = await bus.call(agentManifests.endpoints.exportAgent, { agent_id: agentId }, caller);
    expect(exported.agents[0]?.mcp_servers).toEqual(['shop']);
    const copy = await bus.call(agentManifests.endpoints.cloneAgent, { agent_id: agentId, agent_name: 'Copy' }, caller);
    expect(copy.mcp_servers).toEqual([id]);
    const [agent] = exported.agents;
    const imported = await bus.call(
      agentManifests.endpoints.importAgents,
      {
        application: exported.application,
        agents: [{ ...agent!, name: 'Imported', mcp_servers: ['shop', 'gone'] }],
        on_conflict: 'error',
        prune: false,
      },
      caller,
    );
    expect(imported.warnings.map(({ path }) => path)).toEqual(['agents[0].mcp_servers[1]']);
    expect((await company.world.get(imported.agents[0]!.id)).mcp_servers).toEqual([id]);
    await bus.call(agents.endpoints.updateAgent, { agent_id: agentId, mcp_servers: [] }, caller);
    expect((await company.world.get(agentId)).has_unpublished_changes).toBe(true);
    const restored = await bus.call(
      agentVersions.endpoints.restoreVersion,
      { agent_id: agentId, version: '1.0.0' },
      caller,
    );
    expect(restored).toMatchObject({ mcp_servers: [id], has_unpublished_changes: false });
  });
});
