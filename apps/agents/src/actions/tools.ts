import { type ActionParameter, type AgentAction, isDeeperThan, MAX_FOREIGN_DEPTH } from '@signalbox/contracts';
import { cutText } from '@signalbox/runs/rules';
import { placeholdersIn } from './execution/template.js';

export type TaskAction = Omit<AgentAction, 'date_created' | 'agent_id' | 'status'>;

export interface Tool {
  type: 'function';
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

export interface NamedAction {
  tool: string;
  action: TaskAction;
}

const MAX_NAME = 64;

/** The enabled actions under unique names that model providers accept; deterministic for one snapshot. */
export function nameTools(actions: readonly TaskAction[]): NamedAction[] {
  const taken = new Set<string>();
  return actions
    .filter(({ enabled }) => enabled)
    .map((action) => {
      const tool = uniqueName(sanitised(action.action_name, `action_${action.id}`), taken);
      taken.add(tool);
      return { tool, action };
    });
}

/** Returns a name that model providers accept. */
export function sanitised(name: string, otherwise: string): string {
  const plain = name.normalize('NFKD').replace(/[^A-Za-z0-9_-]+/g, '_');
  const trimmed = plain.replace(/^_+|_+$/g, '').slice(0, MAX_NAME);
  return trimmed || otherwise;
}

/** Returns the name, with a suffix when it is taken. */
export function uniqueName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let n = 2; ; n++) {
    const candidate = `${name.slice(0, MAX_NAME - String(n).length - 1)}_${n}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/** The descriptions of the actions for the model. */
export function describeTools(named: readonly NamedAction[]): Tool[] {
  return named.map(({ tool, action }) => ({
    type: 'function',
    function: { name: tool, description: cutText(action.description, 1024), parameters: schemaOf(action) },
  }));
}

/** The tool name of the default action, when it is enabled. */
export const defaultTool = (named: readonly NamedAction[]): string | undefined =>
  named.find(({ action }) => action.is_default && action.invocation_mode === 'foreground')?.tool;

interface Parameters {
  properties: Record<string, Record<string, unknown>>;
  required: string[];
}

/** The declared arguments of an action; a model call requires none. */
export function parametersOf({ action_type: type, action_config: config }: TaskAction): Parameters {
  switch (type) {
    case 'llm':
      return { properties: { input: { type: 'string', description: 'What the prompt is applied to' } }, required: [] };
    case 'api':
    case 'webhook':
      return ofRequest(config ?? {});
    case 'maitai_workflow':
      return ofMapping((config?.['input_mapping'] ?? {}) as Record<string, string>);
  }
}

function schemaOf(action: TaskAction): Record<string, unknown> {
  const { properties, required } = parametersOf(action);
  return { type: 'object', properties, required, additionalProperties: false };
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

/** The declared arguments of a call, or their problem as a message for the model. */
export function readArguments(action: TaskAction, text: string): Record<string, unknown> | string {
  let value: unknown;
  try {
    value = text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    return 'the arguments are not valid JSON';
  }
  if (isDeeperThan(value, MAX_FOREIGN_DEPTH)) return `the arguments are nested more than ${MAX_FOREIGN_DEPTH} deep`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'the arguments are not a JSON object';
  const given = action.action_type === 'llm' ? (value as Record<string, unknown>) : declaredOf(action, value);
  const { properties, required } = parametersOf(action);
  const missing = required.filter((name) => !Object.hasOwn(given, name));
  if (missing.length > 0) return `missing arguments: ${missing.join(', ')}`;
  const wrong = Object.entries(given).find(([name, argument]) => !isOfType(properties[name]?.['type'], argument));
  return wrong ? `argument ${wrong[0]} must be ${ARTICLES[String(properties[wrong[0]]?.['type'])]}` : given;
}

/** The arguments that the action declares; null counts as absent. */
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
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'array':
      return Array.isArray(value);
    case undefined:
      return true;
    default:
      return typeof value === type;
  }
}

/** True when a task waits for a callback after the action; a mock response replaces the callback. */
export const waitsForCallback = ({ action_type, action_config: config }: TaskAction): boolean =>
  action_type === 'webhook' && config?.['mode'] === 'callback' && config['mock_response'] === undefined;
