import { type ActionParameter, type AgentAction, isDeeperThan, MAX_FOREIGN_DEPTH } from '@signalbox/contracts';
import { placeholdersIn } from './template.js';

/** An action as a task knows it: frozen with the version or the draft. */
export type TaskAction = Omit<AgentAction, 'date_created' | 'agent_id' | 'status'>;

/** An action as a model is told of it. */
export interface Tool {
  type: 'function';
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

/** The name models know an action by. */
export interface NamedAction {
  tool: string;
  action: TaskAction;
}

const MAX_NAME = 64;

/** Enabled actions under names a model provider accepts, no two alike; stable for one snapshot. */
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

/** A name as model providers accept it. */
export function sanitised(name: string, otherwise: string): string {
  const plain = name.normalize('NFKD').replace(/[^A-Za-z0-9_-]+/g, '_');
  const trimmed = plain.replace(/^_+|_+$/g, '').slice(0, MAX_NAME);
  return trimmed || otherwise;
}

/** The name, or one like it that is not taken. */
export function uniqueName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let n = 2; ; n++) {
    const candidate = `${name.slice(0, MAX_NAME - String(n).length - 1)}_${n}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/** What a model is told of the actions. */
export function describeTools(named: readonly NamedAction[]): Tool[] {
  return named.map(({ tool, action }) => ({
    type: 'function',
    function: { name: tool, description: action.description.slice(0, 1024), parameters: schemaOf(action) },
  }));
}

/** The default action of an agent, when it can be chosen. */
export const defaultTool = (named: readonly NamedAction[]): string | undefined =>
  named.find(({ action }) => action.is_default && action.invocation_mode === 'foreground')?.tool;

interface Parameters {
  properties: Record<string, Record<string, unknown>>;
  required: string[];
}

/** The arguments of an action: those declared, and those its templates mention. */
export function parametersOf({ action_type: type, action_config: config }: TaskAction): Parameters {
  switch (type) {
    case 'llm':
      return ofPrompt(config ?? {});
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

/** An `llm` action without placeholders takes one free input. */
function ofPrompt(config: Record<string, unknown>): Parameters {
  const names = placeholdersIn([config['prompt'], config['user_prompt']]);
  const list = names.length > 0 ? names : ['input'];
  return { properties: Object.fromEntries(list.map((name) => [name, { type: 'string' }])), required: list };
}

function ofRequest(config: Record<string, unknown>): Parameters {
  const declared = Object.entries((config['parameters'] ?? {}) as Record<string, ActionParameter>);
  const inPath = placeholdersIn(config['endpoint']);
  const mentioned = [...inPath, ...placeholdersIn(config['query'])];
  const undeclared = mentioned.filter((name) => !declared.some(([known]) => known === name));
  const properties = Object.fromEntries([
    ...declared.map(([name, { type, description }]) => [name, { type, ...(description ? { description } : {}) }]),
    ...undeclared.map((name) => [name, { type: 'string' }]),
  ]) as Parameters['properties'];
  const needed = declared.filter(([, { required }]) => required).map(([name]) => name);
  return { properties, required: [...new Set([...needed, ...inPath])] };
}

function ofMapping(mapping: Record<string, string>): Parameters {
  const names = [...new Set(Object.values(mapping).map((path) => path.split(/[.[]/, 1)[0] ?? ''))].filter(Boolean);
  return { properties: Object.fromEntries(names.map((name) => [name, {}])), required: [] };
}

/** The arguments of a call, or what is wrong with them, in words for the model. */
export function readArguments(action: TaskAction, text: string): Record<string, unknown> | string {
  let value: unknown;
  try {
    value = text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    return 'the arguments are not valid JSON';
  }
  if (isDeeperThan(value, MAX_FOREIGN_DEPTH)) return `the arguments are nested more than ${MAX_FOREIGN_DEPTH} deep`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'the arguments are not a JSON object';
  const missing = parametersOf(action).required.filter((name) => !Object.hasOwn(value, name));
  return missing.length > 0 ? `missing arguments: ${missing.join(', ')}` : (value as Record<string, unknown>);
}
