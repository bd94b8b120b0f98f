export { MCP_PATHS } from './addresses.js';
export { McpModule } from './mcp.module.js';
