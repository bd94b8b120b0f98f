import type { Scope } from '@signalbox/contracts';
import { PREFIX } from '../request/index.js';

/** The scopes are the most that a key may use at this address: `admin` nowhere. */
export interface McpAddress {
  /** Without the prefix of the API. */
  path: string;
  scopes: readonly Scope[];
}

export const READ: McpAddress = { path: '/mcp', scopes: ['read'] };
export const RUN: McpAddress = { path: '/mcp/run', scopes: ['read', 'invoke'] };
export const BUILD: McpAddress = { path: '/mcp/build', scopes: ['read', 'invoke', 'write'] };

export const AGENTS: McpAddress = { path: '/mcp/agents', scopes: ['invoke'] };

export const MCP_PATHS = [READ, RUN, BUILD, AGENTS].map(({ path }) => `${PREFIX}${path}`);
