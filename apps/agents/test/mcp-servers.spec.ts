import type { ServerResponse } from 'node:http';
import {
  agentManifests,
  agents,
  agentVersions,
  type ApiError,
  type InputOf,
  type McpServer,
  mcpServers,
  type McpTool,
  subAgents,
  tasks,
} from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { type OfferedTool, type Raw, TestMcpServer } from './mcp-server.js';
import { type TaskCompany, TaskWorld } from './task-world.js';
import { PAGE } from './world.js';

type Body = InputOf<typeof mcpServers.endpoints.createMcpServer>;

const LOOK_UP: OfferedTool = {
  name: 'look_up',
  description: 'Looks an order up',
  input: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  readOnly: true,
  run: ({ id }) => `order ${String(id)} is shipped`,
};

let outside: TaskWorld;
let company: TaskCompany;
let server: TestMcpServer;
beforeAll(async () => {
  [outside, server] = await Promise.all([TaskWorld.start(), TestMcpServer.start()]);
}, 60_000);
afterAll(async () => {
  await outside?.stop();
  await server?.stop();
});
beforeEach(async () => {
  company = await outside.company();
  outside.reset();
  server.reset();
  server.tools = [LOOK_UP];
});

const { endpoints } = mcpServers;
const call = <Name extends keyof typeof endpoints>(name: Name, input: InputOf<(typeof endpoints)[Name]>) =>
  outside.platform.bus.call(endpoints[name], input as never, company.world.caller()) as Promise<McpServer>;
const created = (change: Partial<Body> = {}): Promise<McpServer> =>
  call('createMcpServer', {
    ...{ name: 'shop', url: server.url, headers: {}, include_tools: [], exclude_tools: [] },
    ...change,
  });
const refreshed = (id: number, secrets: Record<string, string> = {}) =>
  call('refreshMcpServer', { mcp_server_id: id, secrets });
const got = (id: number) => call('getMcpServer', { mcp_server_id: id });
const ready = async (change: Partial<Body> = {}, secrets = {}): Promise<McpServer> =>
  refreshed((await created(change)).id, secrets);
const errorOf = (work: Promise<unknown>): Promise<{ status: number; message: string }> =>
  work.then(
    () => ({ status: 200, message: '' }),
    ({ status, message }: ApiError) => ({ status, message }),
  );
const agentWith = async (...ids: number[]): Promise<number> =>
  (await company.world.agent({ model: 'm', mcp_servers: ids })).id;

/** A model that calls a tool once and then says what came of it. */
function calls(name: string, given: Record<string, unknown> = { id: '7' }): void {
  outside.provider.answerWith(({ messages }) => {
    const last = messages.at(-1);
    return last?.role === 'tool' ? `got: ${String(last.content)}` : { toolCalls: [{ name, arguments: given }] };
  });
}
const answerOf = async (agentId: number, change = {}): Promise<string> =>
  String((await company.invoke(agentId, change)).choices?.[0]?.message.content);
const timelineOf = async (agentId: number) => {
  const { data } = await outside.platform.bus.call(
    tasks.endpoints.listTasks,
    { agent_id: agentId, ...PAGE } as never,
    company.world.caller(),
  );
  const task = data[0] as { id: string };
  return (await company.timeline(agentId, task.id)).data;
};

describe('an MCP server', () => {
  it('is created, listed, changed and deleted, with events and audit entries without its credentials', async () => {
    const made = await created({ headers: { 'X-Key': 'literal', Authorization: 'Bearer {{secrets.TOKEN}}' } });
    expect(made).toMatchObject({ name: 'shop', tool_count: 0, refreshed_at: null, refresh_error: null, tools: [] });
    const list = await outside.platform.bus.call(endpoints.listMcpServers, PAGE, company.world.caller());
    expect(list).toMatchObject({ data: [{ id: made.id, name: 'shop' }], pagination: { total: 1 } });
    expect(list.data[0]).not.toHaveProperty('tools');
    expect(await call('updateMcpServer', { mcp_server_id: made.id, name: 'store' })).toMatchObject({ name: 'store' });
    expect(await call('deleteMcpServer', { mcp_server_id: made.id })).toEqual({ id: made.id, deleted: true });
    expect((await errorOf(got(made.id))).status).toBe(404);
    expect(await company.world.events('mcp_server', made.id)).toEqual([
      'mcp_server.created',
      'mcp_server.updated',
      'mcp_server.deleted',
    ]);
    const audits = JSON.stringify(await company.world.audits('mcp_server', made.id));
    expect(audits).not.toContain('literal');
    expect(audits).toContain('{{secrets.TOKEN}}');
  });

  it.each<[string, Partial<Body>, number]>([
    ['a header of the protocol', { headers: { 'Mcp-Session-Id': 'x' } }, 400],
    ['a placeholder in its URL', { url: 'http://a.example/{{secrets.X}}' }, 400],
    ['credentials in its URL', { url: 'http://u:p@a.example/' }, 400],
    ['another scheme', { url: 'ftp://a.example/' }, 400],
    ['a name that is no slug', { name: 'My Shop' }, 400],
  ])('is refused with %s', async (_name, change, status) => {
    expect((await errorOf(created(change))).status).toBe(status);
  });

  it('has a name of its own in the company, and is not there for others', async () => {
    const made = await created();
    expect((await errorOf(created())).status).toBe(409);
    const other = await outside.company();
    const foreign = { mcp_server_id: made.id };
    for (const read of ['getMcpServer', 'deleteMcpServer'] as const)
      expect((await errorOf(outside.platform.bus.call(endpoints[read], foreign, other.world.caller()))).status).toBe(
        404,
      );
    const asked = outside.platform.bus.call(
      endpoints.refreshMcpServer,
      { ...foreign, secrets: {} },
      other.world.caller(),
    );
    expect((await errorOf(asked)).status).toBe(404);
    expect((await errorOf(other.world.agent({ mcp_servers: [made.id] }))).status).toBe(404);
  });

  it('is not deleted while a draft names it', async () => {
    const { id } = await ready();
    const agentId = await agentWith(id);
    expect(await errorOf(call('deleteMcpServer', { mcp_server_id: id }))).toEqual({
      status: 409,
      message: 'the MCP server is used by Helper',
    });
    await outside.platform.bus.call(
      agents.endpoints.updateAgent,
      { agent_id: agentId, mcp_servers: [] },
      company.world.caller(),
    );
    expect((await errorOf(call('deleteMcpServer', { mcp_server_id: id }))).status).toBe(200);
  });
});

describe('a refresh', () => {
  it.each([false, true])('lists the tools with their schemas (older revision: %s)', async (legacy) => {
    const other = await TestMcpServer.start({ legacy });
    other.tools = [LOOK_UP, { name: 'delete_all', input: { type: 'object' } }];
    const { id } = await created({ url: other.url, exclude_tools: ['delete_all'] });
    const { tools, ...made } = await refreshed(id).finally(() => other.stop());
    expect(made).toMatchObject({ tool_count: 1, refresh_error: null, refreshed_at: expect.any(Number) as unknown });
    expect(tools).toEqual<McpTool[]>([
      {
        name: 'look_up',
        description: 'Looks an order up',
        input_schema: expect.objectContaining({ type: 'object', required: ['id'] }) as unknown,
        output_schema: null,
        is_repeatable: true,
        schema_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown as string,
      },
    ]);
  });

  it('sends its headers with secrets, which are nowhere else', async () => {
    const { id } = await created({ headers: { Authorization: 'Bearer {{secrets.TOKEN}}' } });
    expect(await errorOf(refreshed(id))).toEqual({ status: 400, message: 'missing secrets: TOKEN' });
    server.tools = [{ ...LOOK_UP, description: 'for s3cret-value only' }];
    const { tools } = await refreshed(id, { TOKEN: 's3cret-value', OTHER: 'x' });
    expect(tools[0]?.description).toBe('for [secret] only');
    expect(new Set(server.calls.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer s3cret-value']));
  });

  it.each<[string, number, RegExp, string, Partial<Body>, () => void]>([
    ['answers 500', 502, /answered 500/, 'provider', {}, () => void (server.raw = (_q, r) => r.writeHead(500).end())],
    [
      'redirects',
      502,
      /redirects are not followed/,
      'provider',
      {},
      () => void (server.raw = (_q, r) => r.writeHead(307, { location: `${outside.target.url}/steal` }).end()),
    ],
    ['is not public', 422, /not a public address/, 'sandbox', { url: 'http://127.0.0.2/mcp' }, () => undefined],
    ['is down', 502, /refused/, 'provider', { url: 'http://127.0.0.1:1/mcp' }, () => undefined],
    [
      'lists 10,000 tools',
      502,
      /more than 1000 tools/,
      'adapter',
      {},
      () => void (server.raw = listing(Array.from({ length: 10_000 }, (_, n) => `t${n}`))),
    ],
    [
      'lists 200 tools',
      502,
      /name them in include_tools/,
      'adapter',
      {},
      () => void (server.tools = Array.from({ length: 200 }, (_, n) => ({ name: `t${n}` }))),
    ],
    [
      'has a schema of 10 MB',
      502,
      /answered more than|longer than|too large/,
      'adapter',
      {},
      () => void (server.tools = [{ name: 't', input: { type: 'object', description: 'x'.repeat(10_000_000) } }]),
    ],
    [
      'has a deep schema',
      502,
      /deeper than 20/,
      'adapter',
      {},
      () => void (server.tools = [{ name: 't', input: { type: 'object', properties: deep(40) } }]),
    ],
    [
      'has a schema of 100 kB',
      502,
      /more than 64 KiB/,
      'adapter',
      {},
      () => void (server.tools = [{ name: 't', input: { type: 'object', description: 'x'.repeat(100_000) } }]),
    ],
    [
      'streams without end',
      502,
      /answered more than|longer than|too large/,
      'adapter',
      {},
      () => void (server.raw = (_q, r) => endless(r)),
    ],
    [
      'speaks an unknown revision',
      502,
      /does not speak the protocol/,
      'adapter',
      {},
      () => void (server.raw = unknownRevision),
    ],
    [
      'answers HTML',
      502,
      /does not speak the protocol/,
      'adapter',
      {},
      () => void (server.raw = (_q, r) => r.writeHead(200, { 'content-type': 'text/html' }).end('<html>')),
    ],
  ])('of a server that %s fails and keeps why', async (_name, status, message, failure_class, change, prepare) => {
    prepare();
    const { id } = await created(change);
    const refusal = await errorOf(refreshed(id));
    expect(refusal).toEqual({ status, message: expect.stringMatching(message) as unknown });
    expect((await got(id)).refresh_error).toEqual({
      failure_class,
      message: refusal.message,
      at: expect.any(Number) as unknown,
    });
    expect(outside.target.calls).toEqual([]);
  });

  it('of a server that is too slow ends before its caller gives up', async () => {
    server.raw = () => undefined;
    const { id } = await created();
    const caller = company.world.caller({ deadline: Date.now() + 4000 });
    const asked = outside.platform.bus.call(endpoints.refreshMcpServer, { mcp_server_id: id, secrets: {} }, caller);
    expect(await errorOf(asked)).toEqual({
      status: 504,
      message: expect.stringMatching(/no answer in time/) as unknown,
    });
    expect((await got(id)).refresh_error).toMatchObject({ failure_class: 'timeout' });
  });

  it('that fails keeps the tools of the last one', async () => {
    const { id } = await ready();
    server.raw = (_q, response) => response.writeHead(500).end();
    await errorOf(refreshed(id));
    expect(await got(id)).toMatchObject({ tool_count: 1, refresh_error: { failure_class: 'provider' } });
  });
});

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
    await company.world.publish(agentId);
    expect(await answerOf(agentId, { version: '1.1.0' })).toBe('got: 2');
    server.tools = [];
    expect(await answerOf(agentId, { version: '1.1.0' })).toMatch(/is no longer there/);
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

const deep = (levels: number): Record<string, unknown> =>
  levels === 0 ? {} : { x: { type: 'object', properties: deep(levels - 1) } };

function endless(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const more = (): void => {
    while (!response.destroyed && response.write(`: ${'x'.repeat(60_000)}\n\n`));
  };
  response.on('drain', more);
  more();
}

/** A server of an older revision that lists tools of some names. */
function listing(names: string[]): Raw {
  const tools = names.map((name) => ({ name, inputSchema: { type: 'object' } }));
  const initialized = {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'x', version: '1' },
  };
  return (_request, response, body) => {
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return response.writeHead(202).end();
    if (method === 'server/discover') return response.writeHead(400).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(
      JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? initialized : { tools } }),
    );
  };
}

function unknownRevision(_request: unknown, response: ServerResponse, body: string): void {
  const { id } = JSON.parse(body || '{}') as { id?: number };
  const result = { protocolVersion: '1999-01-01', capabilities: {}, serverInfo: { name: 'old', version: '1' } };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
