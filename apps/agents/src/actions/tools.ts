import {
  type ActionParameter,
  type ActionType,
  type AgentAction,
  isDeeperThan,
  isJsonObject,
  MAX_FOREIGN_DEPTH,
} from '@signalbox/contracts';
import { cutText } from '@signalbox/runs/rules';
import type { AgentSnapshot, FrozenMcpServer, FrozenTool } from '../drafts/index.js';
import { toolNameOf } from '../mcp-servers/index.js';
import { placeholdersIn } from './execution/template.js';

export interface McpToolOfAgent {
  server: Omit<FrozenMcpServer, 'tools'>;
  tool: FrozenTool;
}

/** A tool of an MCP server has no id, because it is not stored. */
export interface TaskAction extends Omit<AgentAction, 'id' | 'action_type' | 'date_created' | 'agent_id' | 'status'> {
  id: number | null;
  action_type: ActionType | 'mcp';
  mcp?: McpToolOfAgent;
}

export interface Tool {
  type: 'function';
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

export interface NamedAction {
  tool: string;
  action: TaskAction;
}

const MAX_NAME = 64;

export const mcpActionsOf = ({ mcp_servers = [] }: Pick<AgentSnapshot, 'mcp_servers'>): TaskAction[] =>
  mcp_servers.flatMap(({ tools, ...server }) =>
    tools.map((tool) => ({
      id: null,
      action_name: `${server.name}/${tool.name}`,
      action_type: 'mcp' as const,
      description: tool.description ?? '',
      enabled: true,
      action_config: null,
      meta: {},
      is_default: false,
      action_result_type: 'gather_info' as const,
      invocation_mode: 'foreground' as const,
      mcp: { server, tool },
    })),
  );

/** Enabled actions under unique names that model providers accept; deterministic for one snapshot. */
export function nameTools(actions: readonly TaskAction[]): NamedAction[] {
  const taken = new Set<string>();
  return actions
    .filter(({ enabled }) => enabled)
    .map((action) => {
      const tool = uniqueName(toolOf(action), taken);
      taken.add(tool);
      return { tool, action };
    });
}

const toolOf = ({ mcp, action_name, id }: TaskAction): string =>
  mcp ? toolNameOf(mcp.server.name, mcp.tool.name) : sanitised(action_name, `action_${id}`);

export function sanitised(name: string, otherwise: string): string {
  const plain = name.normalize('NFKD').replace(/[^A-Za-z0-9_-]+/g, '_');
  const trimmed = plain.replace(/^_+|_+$/g, '').slice(0, MAX_NAME);
  return trimmed || otherwise;
}

export function uniqueName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let n = 2; ; n++) {
    const candidate = `${name.slice(0, MAX_NAME - String(n).length - 1)}_${n}`;
    if (!taken.has(candidate)) return candidate;
  }
}

export function describeTools(named: readonly NamedAction[]): Tool[] {
  return named.map(({ tool, action }) => ({
    type: 'function',
    function: { name: tool, description: cutText(action.description, 1024), parameters: schemaOf(action) },
  }));
}

export const defaultTool = (named: readonly NamedAction[]): string | undefined =>
  named.find(({ action }) => action.is_default && action.invocation_mode === 'foreground')?.tool;

interface Parameters {
  properties: Record<string, Record<string, unknown>>;
  required: string[];
}

/** A model call requires none of its arguments. */
export function parametersOf({ action_type: type, action_config: config, mcp }: TaskAction): Parameters {
  switch (type) {
    case 'llm':
      return { properties: { input: { type: 'string', description: 'What the prompt is applied to' } }, required: [] };
    case 'api':
    case 'webhook':
      return ofRequest(config ?? {});
    case 'mcp':
      return ofSchema(mcp?.tool.input_schema);
    case 'maitai_workflow':
      return ofMapping((config?.['input_mapping'] ?? {}) as Record<string, string>);
  }
}

function schemaOf(action: TaskAction): Record<string, unknown> {
  const { properties, required } = parametersOf(action);
  const own = action.mcp?.tool.input_schema;
  if (own) return { ...(own as Record<string, unknown>), type: 'object', properties };
  return { type: 'object', properties, required, additionalProperties: false };
}

/** Only what is read here: the server validates the arguments by the whole schema. */
function ofSchema(schema: unknown): Parameters {
  const { properties, required } = (schema ?? {}) as { properties?: unknown; required?: unknown };
  return {
    properties: isJsonObject(properties) ? (properties as Parameters['properties']) : {},
    required: Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [],
  };
}

function ofRequest(config: Record<string, unknown>): Parameters {
  const declared = parametersIn(config);
  const inPath = placeholdersIn(config['endpoint']);
  const properties = declared.map(([name, { type, description }]) => [
    name,
    { type, ...(description ? { description } : {}) },
  ]);
  const needed = declared.filter(([name, { required }]) => required || inPath.includes(name));
  return {
    properties: Object.fromEntries(properties) as Parameters['properties'],
    required: needed.map(([name]) => name),
  };
}

const parametersIn = (config: Record<string, unknown>): [string, ActionParameter][] =>
  Object.entries((config['parameters'] ?? {}) as Record<string, ActionParameter>);

function ofMapping(mapping: Record<string, string>): Parameters {
  const names = [...new Set(Object.values(mapping).map((path) => path.split(/[.[]/, 1)[0] ?? ''))].filter(Boolean);
  // Without a mapping the model gives the whole input.
  if (names.length === 0)
    return { properties: { input: { type: 'object', description: 'The input of the workflow' } }, required: [] };
  return { properties: Object.fromEntries(names.map((name) => [name, {}])), required: [] };
}

/** The arguments, or their problem as a message for the model. */
export function readArguments(action: TaskAction, text: string): Record<string, unknown> | string {
  let value: unknown;
  try {
    value = text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    return 'the arguments are not valid JSON';
  }
  if (isDeeperThan(value, MAX_FOREIGN_DEPTH)) return `the arguments are nested more than ${MAX_FOREIGN_DEPTH} deep`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'the arguments are not a JSON object';
  const isFree = action.action_type === 'llm' || action.action_type === 'mcp';
  const given = isFree ? (value as Record<string, unknown>) : declaredOf(action, value);
  const { properties, required } = parametersOf(action);
  const missing = required.filter((name) => !Object.hasOwn(given, name));
  if (missing.length > 0) return `missing arguments: ${missing.join(', ')}`;
  if (action.action_type === 'mcp') return given;
  const wrong = Object.entries(given).find(([name, argument]) => !isOfType(properties[name]?.['type'], argument));
  return wrong ? `argument ${wrong[0]} must be ${ARTICLES[String(properties[wrong[0]]?.['type'])]}` : given;
}

function declaredOf(action: TaskAction, given: object): Record<string, unknown> {
  const { properties } = parametersOf(action);
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => Object.hasOwn(properties, name) && value !== null),
  );
}

const ARTICLES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

function isOfType(type: unknown, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isJsonObject(value);
    case 'array':
      return Array.isArray(value);
    case undefined:
      return true;
    default:
      return typeof value === type;
  }
}

/** A mock response replaces the callback. */
export const waitsForCallback = ({ action_type, action_config: config }: TaskAction): boolean =>
  action_type === 'webhook' && config?.['mode'] === 'callback' && config['mock_response'] === undefined;
