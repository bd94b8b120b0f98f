import type { Scope } from '@signalbox/contracts';
import { PREFIX } from '../request/index.js';

/** An address of the server, and the most that a key may do there: `admin` nowhere. */
export interface McpAddress {
  /** Below the prefix of the API. */
  path: string;
  scopes: readonly Scope[];
}

export const READ: McpAddress = { path: '/mcp', scopes: ['read'] };
export const RUN: McpAddress = { path: '/mcp/run', scopes: ['read', 'invoke'] };
export const BUILD: McpAddress = { path: '/mcp/build', scopes: ['read', 'invoke', 'write'] };

/** The releases of agents and workflows that are tools themselves. */
export const AGENTS: McpAddress = { path: '/mcp/agents', scopes: ['invoke'] };

/** The paths of this feature, each served with POST alone. */
export const MCP_PATHS = [READ, RUN, BUILD, AGENTS].map(({ path }) => `${PREFIX}${path}`);
