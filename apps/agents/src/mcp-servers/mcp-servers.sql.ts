import { txStatement, type View } from '@signalbox/database';
import { INCLUDED_TOOLS } from '../drafts/index.js';

export const view: View = {
  resource: 'MCP server',
  table: 'agents.mcp_servers',
  columns: [
    'id',
    'name',
    'url',
    'headers',
    'include_tools',
    'exclude_tools',
    'refreshed_at',
    'refresh_error',
    'drift',
    'date_created',
    'date_updated',
  ],
  computed: { tool_count: `jsonb_array_length(${INCLUDED_TOOLS('t', 'e.tool')})` },
  detail: { tools: INCLUDED_TOOLS('t', 'e.tool') },
  search: ['t.name', 't.url'],
  sort: { name: 't.name', refreshed_at: 't.refreshed_at' },
  large: ['headers'],
};

export const AGENTS_OF_SERVER = txStatement(
  { index: 'agents_name' },
  `SELECT id, agent_name FROM agents.agents
   WHERE company_id = $1 AND deleted_at IS NULL AND $2 = ANY (mcp_servers) ORDER BY id LIMIT 20`,
);

export const LOCKED_SERVERS = txStatement(
  { index: 'mcp_servers_pkey' },
  `SELECT m.id, m.name, ${INCLUDED_TOOLS('m', `e.tool->'name'`)} AS tools FROM agents.mcp_servers m
   WHERE m.company_id = $1 AND m.id = ANY ($2::int[]) AND m.deleted_at IS NULL ORDER BY m.id FOR SHARE OF m`,
);

export const NAMED_SERVERS = txStatement(
  { index: 'mcp_servers_name' },
  `SELECT m.id, m.name FROM agents.mcp_servers m
   WHERE m.company_id = $1 AND m.name = ANY ($2::text[]) AND m.deleted_at IS NULL ORDER BY m.id FOR SHARE OF m`,
);
