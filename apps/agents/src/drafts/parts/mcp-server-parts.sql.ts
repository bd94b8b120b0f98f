export const INCLUDED_TOOLS = (m: string, shown: string): string =>
  `COALESCE((SELECT jsonb_agg(${shown} ORDER BY e.n) FROM jsonb_array_elements(${m}.tools) WITH ORDINALITY e(tool, n)
     WHERE (cardinality(${m}.include_tools) = 0 OR e.tool->>'name' = ANY (${m}.include_tools))
       AND NOT e.tool->>'name' = ANY (${m}.exclude_tools)), '[]'::jsonb)`;

const serversOf = (shown: string): string =>
  `COALESCE((SELECT jsonb_agg(${shown} ORDER BY array_position(t.mcp_servers, m.id)) FROM agents.mcp_servers m
     WHERE m.company_id = t.company_id AND m.id = ANY (t.mcp_servers) AND m.deleted_at IS NULL), '[]'::jsonb)`;

export const MCP_SERVERS = serversOf(`jsonb_build_object('id', m.id, 'name', m.name, 'url', m.url, 'headers', m.headers,
  'tools', ${INCLUDED_TOOLS('m', `e.tool - 'output_schema'`)})`);

export const MCP_HEADERS = serversOf(`jsonb_build_object('headers', m.headers)`);
