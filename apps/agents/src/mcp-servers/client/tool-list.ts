import { createHash } from 'node:crypto';
import { isDeeperThan, MAX_MCP_TOOLS, type McpTool } from '@signalbox/contracts';
import { stripUnstorable } from '@signalbox/runs';
import { McpFailedError } from './mcp-failure.js';

export interface ListedTool {
  name: string;
  description?: string | undefined;
  inputSchema: unknown;
  outputSchema?: unknown;
  annotations?: { readOnlyHint?: boolean | undefined; idempotentHint?: boolean | undefined } | undefined;
}

export interface ToolChoice {
  include_tools: readonly string[];
  exclude_tools: readonly string[];
}

/** Tools that a server may list. */
const MAX_LISTED = 1000;
const MAX_NAME = 128;
const MAX_DESCRIPTION = 4000;
const MAX_SCHEMA_BYTES = 64 * 1024;
const MAX_SCHEMA_DEPTH = 20;
/** All tools of one server as JSON; they are part of every version that uses it. */
const MAX_BYTES = 256 * 1024;

const refuse = (message: string): never => {
  throw new McpFailedError('adapter', message);
};

/** In one order of keys, so that equal schemas have equal JSON. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, child]) => [key, sorted(child)]));
}

function checkSchema(tool: string, schema: unknown): void {
  if (schema === undefined) return;
  if (isDeeperThan(schema, MAX_SCHEMA_DEPTH)) refuse(`tool ${tool} has a schema deeper than ${MAX_SCHEMA_DEPTH}`);
  if (Buffer.byteLength(JSON.stringify(schema)) > MAX_SCHEMA_BYTES)
    refuse(`tool ${tool} has a schema of more than ${MAX_SCHEMA_BYTES / 1024} KiB`);
}

/** Of both schemas, which have to be within the bounds. */
function hashOf({ inputSchema, outputSchema = null }: ListedTool): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted([inputSchema, outputSchema])))
    .digest('hex');
}

export function readTool(listed: ListedTool): McpTool {
  const { name, description, inputSchema, outputSchema, annotations } = listed;
  checkSchema(name, inputSchema);
  checkSchema(name, outputSchema);
  return {
    name,
    description: description === undefined ? null : description.slice(0, MAX_DESCRIPTION).toWellFormed(),
    input_schema: inputSchema,
    output_schema: outputSchema ?? null,
    is_repeatable: annotations?.readOnlyHint === true || annotations?.idempotentHint === true,
    schema_hash: hashOf(listed),
  };
}

/** Only the chosen tools, in the order of the server; throws for a list beyond the bounds. */
export function readTools(listed: readonly ListedTool[], { include_tools, exclude_tools }: ToolChoice): McpTool[] {
  if (listed.length > MAX_LISTED) refuse(`the server lists more than ${MAX_LISTED} tools`);
  const isChosen = ({ name }: ListedTool): boolean =>
    (include_tools.length === 0 || include_tools.includes(name)) && !exclude_tools.includes(name);
  const chosen = listed.filter(isChosen);
  if (chosen.length > MAX_MCP_TOOLS)
    refuse(`the server lists ${chosen.length} tools and ${MAX_MCP_TOOLS} are kept: name them in include_tools`);
  const bad = chosen.find(({ name }) => name.length > MAX_NAME || /[\s\p{C}]/u.test(name) || name === '');
  if (bad) refuse(`the server lists a tool without a usable name: ${JSON.stringify(bad.name.slice(0, 80))}`);
  const twice = chosen.find(({ name }, at) => chosen.findIndex((other) => other.name === name) < at);
  if (twice) refuse(`the server lists tool ${twice.name} twice`);
  const tools = stripUnstorable(chosen.map(readTool));
  if (Buffer.byteLength(JSON.stringify(tools)) > MAX_BYTES)
    refuse(`the tools of the server are more than ${MAX_BYTES / 1024} KiB: name those to keep in include_tools`);
  return tools;
}
