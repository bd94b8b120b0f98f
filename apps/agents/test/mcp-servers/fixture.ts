import { type ApiError, type InputOf, type McpServer, mcpServers, tasks } from '@signalbox/contracts';
import { type OfferedTool, TestMcpServer } from '../mcp-server.js';
import { type TaskCompany, TaskWorld } from '../task-world.js';
import { PAGE } from '../world.js';

export type Body = InputOf<typeof mcpServers.endpoints.createMcpServer>;

export const LOOK_UP: OfferedTool = {
  name: 'look_up',
  description: 'Looks an order up',
  input: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  readOnly: true,
  run: ({ id }) => `order ${String(id)} is shipped`,
};

export let outside: TaskWorld;
export let company: TaskCompany;
export let server: TestMcpServer;
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

export const { endpoints } = mcpServers;
export const call = <Name extends keyof typeof endpoints>(name: Name, input: InputOf<(typeof endpoints)[Name]>) =>
  outside.platform.bus.call(endpoints[name], input as never, company.world.caller()) as Promise<McpServer>;
export const created = (change: Partial<Body> = {}): Promise<McpServer> =>
  call('createMcpServer', {
    ...{ name: 'shop', url: server.url, headers: {}, include_tools: [], exclude_tools: [] },
    ...change,
  });
export const refreshed = (id: number, secrets: Record<string, string> = {}) =>
  call('refreshMcpServer', { mcp_server_id: id, secrets });
export const got = (id: number) => call('getMcpServer', { mcp_server_id: id });
export const ready = async (change: Partial<Body> = {}, secrets = {}): Promise<McpServer> =>
  refreshed((await created(change)).id, secrets);
export const errorOf = (work: Promise<unknown>): Promise<{ status: number; message: string }> =>
  work.then(
    () => ({ status: 200, message: '' }),
    ({ status, message }: ApiError) => ({ status, message }),
  );
export const agentWith = async (...ids: number[]): Promise<number> =>
  (await company.world.agent({ model: 'm', mcp_servers: ids })).id;

/** A model that calls a tool once and then says what came of it. */
export function calls(name: string, given: Record<string, unknown> = { id: '7' }): void {
  outside.provider.answerWith(({ messages }) => {
    const last = messages.at(-1);
    return last?.role === 'tool' ? `got: ${String(last.content)}` : { toolCalls: [{ name, arguments: given }] };
  });
}
export const answerOf = async (agentId: number, change = {}): Promise<string> =>
  String((await company.invoke(agentId, change)).choices?.[0]?.message.content);
export const timelineOf = async (agentId: number) => {
  const { data } = await outside.platform.bus.call(
    tasks.endpoints.listTasks,
    { agent_id: agentId, ...PAGE } as never,
    company.world.caller(),
  );
  const task = data[0] as { id: string };
  return (await company.timeline(agentId, task.id)).data;
};
