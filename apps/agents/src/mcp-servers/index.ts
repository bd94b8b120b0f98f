export { McpCalls, ToolDriftedError } from './client/mcp-calls.js';
export { failureOf, type McpFailure } from './client/mcp-failure.js';
export { McpServerRow } from './mcp-server.entity.js';
export { McpServersModule } from './mcp-servers.module.js';
export { McpServers } from './mcp-servers.repository.js';
export { collisionOf, toolNameOf } from './tool-names.js';
