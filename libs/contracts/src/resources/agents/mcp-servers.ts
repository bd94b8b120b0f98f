import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import { patternType, stringType } from '../../fields/field-types.js';
import {
  Count,
  Default,
  Description,
  Epoch,
  Flag,
  Id,
  join,
  Json,
  List,
  ListOf,
  MapOf,
  Matching,
  Nested,
  Nullable,
  OneOf,
  partial,
  Slug,
  Str,
  Text,
} from '../../fields/fields.js';
import { Deleted, FAILURE_CLASSES, type FailureClass, HEADER_NAME, ListQuery, Secrets } from '../../shapes.js';

/** Servers that one agent can use. */
export const MAX_MCP_SERVERS = 8;
/** Tools that are kept of one server. */
export const MAX_MCP_TOOLS = 128;

const toolName = patternType(/^[^\s]{1,128}$/, 'the name of a tool');

class McpServerBody {
  @Slug() @Description('The beginning of the names of its tools, unique in the company') name!: string;
  @Matching(/^https?:\/\/[^\s]{1,2000}$/, 'an http or https URL') url!: string;
  @MapOf(stringType(0, 8192), HEADER_NAME, 50)
  @Default(() => ({}))
  @Description('Sent with every call; values may hold `{{secrets.NAME}}`')
  headers!: Record<string, string>;
  @List(toolName, 0, 500)
  @Default(() => [])
  @Description('The only tools that agents see; empty for all')
  include_tools!: string[];
  @List(toolName, 0, 500) @Default(() => []) @Description('Tools that agents do not see') exclude_tools!: string[];
}

/** A tool as its server described it at the last refresh. */
export class McpTool {
  @Str(1, 128) name!: string;
  @Text() @Nullable() description!: string | null;
  @Json() input_schema!: unknown;
  @Json() @Nullable() output_schema!: unknown;
  @Flag()
  @Description('The server says that a call changes nothing, or that a repeated one changes nothing more')
  is_repeatable!: boolean;
  @Str() @Description('SHA-256 of both schemas; calls of published agents compare it') schema_hash!: string;
}

export class McpRefreshError {
  @OneOf(FAILURE_CLASSES) failure_class!: FailureClass;
  @Str(0, 4000) message!: string;
  @Epoch() at!: number;
}

/** A tool that a call found changed since the schemas of its agent were taken. */
export class McpDrift {
  @Str(1, 128) tool!: string;
  @Str() @Nullable() @Description('Null when the server has the tool no longer') schema_hash!: string | null;
  @Epoch() at!: number;
}

/** A server of the Model Context Protocol as shown in lists. */
export class McpServerSummary {
  @Id() id!: number;
  @Slug() name!: string;
  @Str(1, 2000) url!: string;
  @MapOf(stringType(0, 8192)) headers!: Record<string, string>;
  @List(stringType(1, 128)) include_tools!: string[];
  @List(stringType(1, 128)) exclude_tools!: string[];
  @Count() @Description('Tools of the last successful refresh that the two lists leave') tool_count!: number;
  @Epoch() @Nullable() @Description('The last successful refresh') refreshed_at!: number | null;
  @Nested(() => McpRefreshError) @Nullable() refresh_error!: McpRefreshError | null;
  @ListOf(() => McpDrift) @Description('What calls found changed since the last refresh') drift!: McpDrift[];
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

/** A server of the Model Context Protocol with its tools. */
export class McpServer extends McpServerSummary {
  @ListOf(() => McpTool) tools!: McpTool[];
}

class McpServerPath {
  @Id() mcp_server_id!: number;
}
class RefreshMcpServer extends McpServerPath {
  @Secrets() @Default(() => ({})) secrets!: Record<string, string>;
}

/** Servers of the Model Context Protocol whose tools agents use (docs/api/mcp-servers.md). */
export const mcpServers = defineContract(
  { name: 'mcp-servers', service: 'agents', tag: 'MCP Servers' },
  {
    listMcpServers: {
      get: '/mcp-servers',
      summary: 'List the MCP servers',
      input: ListQuery,
      output: page(McpServerSummary),
    },
    createMcpServer: {
      post: '/mcp-servers',
      summary: 'Create an MCP server; its tools come with the first refresh',
      errors: ['conflict'],
      input: McpServerBody,
      output: McpServer,
    },
    getMcpServer: {
      get: '/mcp-servers/{mcp_server_id}',
      summary: 'Get an MCP server with its tools',
      input: McpServerPath,
      output: McpServer,
      delivery: { batchable: 'mcp_server_id' },
    },
    updateMcpServer: {
      put: '/mcp-servers/{mcp_server_id}',
      summary: 'Change an MCP server',
      errors: ['conflict'],
      input: join(McpServerPath, partial(McpServerBody)),
      output: McpServer,
    },
    deleteMcpServer: {
      delete: '/mcp-servers/{mcp_server_id}',
      summary: 'Delete an MCP server that no agent names',
      errors: ['conflict'],
      input: McpServerPath,
      output: Deleted,
    },
    refreshMcpServer: {
      post: '/mcp-servers/{mcp_server_id}/refresh',
      summary: 'Ask an MCP server for its tools',
      scope: 'invoke',
      errors: ['conflict', 'refused', 'bad_upstream'],
      input: RefreshMcpServer,
      output: McpServer,
      delivery: { slow: true },
      placement: { onWorkers: true },
    },
  },
);
