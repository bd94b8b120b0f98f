import { mcpServers } from '@signalbox/contracts';
import type { Case } from './case.js';
import type { ConformanceFixtures } from '../fixtures.js';

/** The platform itself is such a server. */
const body = (fixtures: ConformanceFixtures) => ({
  name: fixtures.fresh('tools'),
  url: `${fixtures.baseUrl}/mcp`,
  headers: { 'X-Service-Api-Key': '{{secrets.KEY}}' },
});
const newServer = async (fixtures: ConformanceFixtures) => ({
  mcp_server_id: await fixtures.idOf(fixtures.call(mcpServers.endpoints.createMcpServer, body(fixtures))),
});
const server = (fixtures: ConformanceFixtures) => fixtures.once('mcp server', () => newServer(fixtures));

export const MCP_SERVER_CASES: Readonly<Record<string, Case>> = {
  'mcp-servers.listMcpServers': () => ({ limit: 2 }),
  'mcp-servers.createMcpServer': body,
  'mcp-servers.getMcpServer': server,
  'mcp-servers.updateMcpServer': async (fixtures) => ({ ...(await server(fixtures)), exclude_tools: ['write_api'] }),
  'mcp-servers.deleteMcpServer': newServer,
  'mcp-servers.refreshMcpServer': async (fixtures) => ({
    ...(await server(fixtures)),
    secrets: { KEY: fixtures.key },
  }),
};
