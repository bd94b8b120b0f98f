import { randomUUID } from 'node:crypto';
import type { Client } from '@modelcontextprotocol/client';
import { agents, applications } from '@signalbox/contracts';
import { Platform } from '@signalbox/testing';
import { callTool, connectMcp } from './client.js';

export let platform: Platform;
export let companyId: number;
export let admin: string;
export let build: Client;
export let agentId: number;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic', 'agents', 'workflows', 'runner', 'test-runs', 'gateway']);
  ({ key: admin, companyId } = await platform.company());
  build = await connectMcp(platform, '/mcp/build', admin);
  agentId = await newAgent(companyId);
}, 90_000);
afterAll(async () => {
  await build?.close();
  await platform?.stop();
});

export const caller = () => platform.caller(companyId);
export async function newAgent(company: number, agent_name = 'Helper'): Promise<number> {
  const app = { application_name: `Shop ${randomUUID()}`, state: 'ENABLED' as const, meta: {} };
  const { id } = await platform.bus.call(applications.endpoints.createApplication, app, platform.caller(company));
  const agent = await platform.bus.call(
    agents.endpoints.createAgent,
    {
      application_id: id,
      agent_name,
      status: 'ENABLED',
      execution_mode: 'reasoning',
      agent_config: {},
      max_iterations: 10,
      meta: {},
    },
    platform.caller(company),
  );
  return agent.id;
}
export const using = async <T>(client: Promise<Client>, work: (client: Client) => Promise<T>): Promise<T> => {
  const connected = await client;
  try {
    return await work(connected);
  } finally {
    await connected.close();
  }
};
export const call = (name: string, args: object) => callTool(build, name, args as Record<string, unknown>);
