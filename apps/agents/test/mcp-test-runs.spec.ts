import { evaluationCriteria, mcpServers, type RunItem, testRuns, testSetItems, testSets } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { TestMcpServer } from './mcp-server.js';
import { type TaskCompany, TaskWorld } from './task-world.js';

let outside: TaskWorld;
let company: TaskCompany;
let server: TestMcpServer;
beforeAll(async () => {
  [outside, server] = await Promise.all([TaskWorld.start('test-runs'), TestMcpServer.start()]);
  company = await outside.company();
}, 120_000);
afterAll(async () => {
  await outside?.stop();
  await server?.stop();
});

it('tests an agent whose tools are those of an MCP server: with their secrets, by their answers and by its steps', async () => {
  const caller = () => company.world.caller();
  const { bus } = outside.platform;
  server.tools = [
    {
      name: 'look_up',
      description: 'Looks an order up',
      input: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      readOnly: true,
      run: ({ id }) => `order ${String(id)} is ${id === '7' ? 'shipped' : 'lost'}`,
    },
  ];
  outside.provider.answerWith(({ messages, tools }) => {
    const last = messages.at(-1);
    if (last?.role === 'tool') return `So ${String(last.content)}.`;
    const [tool] = (tools ?? []) as { function: { name: string } }[];
    return { toolCalls: [{ name: tool?.function.name ?? '', arguments: { id: String(last?.content) } }] };
  });
  const headers = { Authorization: 'Bearer {{secrets.SHOP_TOKEN}}' };
  const secrets = { SHOP_TOKEN: 's3cret-token' };
  const shop = { name: 'shop', url: server.url, headers, include_tools: [], exclude_tools: [] };
  const { id: mcp_server_id } = await bus.call(mcpServers.endpoints.createMcpServer, shop, caller());
  await bus.call(mcpServers.endpoints.refreshMcpServer, { mcp_server_id, secrets }, caller());
  const agent = await company.world.agent({ model: 'm', mcp_servers: [mcp_server_id] });

  const checks = [{ kind: 'called', tool: 'shop/look_up', min_times: 1 }, { kind: 'no_failed_step' }];
  const steps = { name: 'Looks it up', criteria_type: 'BOOLEAN', method: 'STEPS', config: { checks } };
  const text = { name: 'Says it', criteria_type: 'BOOLEAN', method: 'CONTAINS', config: { value: 'shipped' } };
  const criteria_ids: number[] = [];
  for (const each of [steps, text])
    criteria_ids.push(
      (
        await bus.call(
          evaluationCriteria.endpoints.createCriteria,
          { ...each, weight: 1, enabled: true } as never,
          caller(),
        )
      ).id,
    );
  const set = { name: 'Orders', consumer_kinds: [], criteria_ids, tags: [], meta: {} };
  const { id: test_set_id } = await bus.call(testSets.endpoints.createTestSet, set, caller());
  for (const content of ['7', '8']) {
    const item = { test_set_id, input: { messages: [{ role: 'user', content }] }, expected_output: null, meta: {} };
    await bus.call(testSetItems.endpoints.createTestSetItem, item as never, caller());
  }

  server.calls.length = 0;
  const { endpoints } = testRuns;
  const consumer = { consumer_kind: 'AGENT', consumer_config: { agent_id: agent.id } };
  const run = { test_set_id, ...consumer, meta: {}, auto_score: true, repeats: 1 };
  const { id } = await bus.call(endpoints.createTestRun, run as never, caller());
  await bus.call(endpoints.prepareTestRun, { id }, caller());
  await bus.call(endpoints.executeTestRun, { id, concurrency: 2, secrets }, caller());
  const summary = await eventually(
    'the run is scored',
    async () => {
      const { status } = await bus.call(endpoints.getTestRun, { id }, caller());
      if (status !== 'COMPLETED') return null;
      const found = await bus.call(endpoints.scoreTestRun, { id } as never, caller());
      return found.status === 'SCORED' ? found : null;
    },
    60_000,
  );
  expect(summary).toMatchObject({ matched: 1, mismatched: 1, errors: 0 });
  const page = { id, offset: 0, limit: 10, sort: 'id' };
  const { data } = await bus.call(endpoints.listRunItems, page as never, caller());
  expect((data as RunItem[]).map(({ outcome, actual_output }) => [outcome, JSON.stringify(actual_output)])).toEqual([
    ['PASS', expect.stringContaining('So order 7 is shipped.')],
    ['FAIL', expect.stringContaining('So order 8 is lost.')],
  ]);
  const called = server.calls.filter(({ method }) => method === 'tools/call');
  expect(called.map(({ headers, name }) => [name, headers.authorization])).toEqual(
    Array.from({ length: 2 }, () => ['look_up', 'Bearer s3cret-token']),
  );
}, 120_000);
