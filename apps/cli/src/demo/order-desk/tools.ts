import type { McpServer, Signalbox } from '@signalbox/sdk';
import { TOOLS_PATH } from './tool-server.js';

const SERVER = 'order-desk-demo';

export async function offerTools(api: Signalbox, serviceUrl: string, agent_id: number): Promise<McpServer> {
  const url = `${serviceUrl}${TOOLS_PATH}`;
  const known = (await api.mcpServers.list({ limit: 100 }).all()).find(({ name }) => name === SERVER);
  const { id: mcp_server_id } = known
    ? await api.mcpServers.update({ mcp_server_id: known.id, url })
    : await api.mcpServers.create({ name: SERVER, url });
  await api.agents.update({ agent_id, mcp_servers: [mcp_server_id] });
  return api.mcpServers.refresh({ mcp_server_id });
}
