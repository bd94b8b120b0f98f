import type { FieldDraft, FrozenMcpServer, LinkDraft } from '../../drafts/index.js';
import type { TaskChild } from '../../sub-agents/index.js';
import { cutText } from '@signalbox/runs/rules';
import {
  describeTools,
  mcpActionsOf,
  type NamedAction,
  nameTools,
  sanitised,
  type TaskAction,
  type Tool,
  uniqueName,
} from '../../actions/index.js';

export interface ToolSource {
  actions: readonly TaskAction[];
  sub_agents?: readonly (LinkDraft | TaskChild)[];
  form_fields?: readonly FieldDraft[];
  mcp_servers?: FrozenMcpServer[];
}

export interface SubAgentTool {
  tool: string;
  child: TaskChild;
}

export interface Capabilities {
  actions: NamedAction[];
  children: SubAgentTool[];
  /** Null without form fields. */
  stateTool: string | null;
}

const isNamed = (link: LinkDraft | TaskChild): link is TaskChild => 'agent_name' in link;

export function capabilitiesOf(
  agent: ToolSource,
  writable: readonly FieldDraft[] = agent.form_fields ?? [],
): Capabilities {
  const actions = nameTools([...agent.actions, ...mcpActionsOf(agent)]);
  const reserved = new Set(actions.map(({ tool }) => tool));
  const reserveName = (name: string): string => {
    const tool = uniqueName(name, reserved);
    reserved.add(tool);
    return tool;
  };
  const children = (agent.sub_agents ?? [])
    .filter(isNamed)
    .map((child) => ({ tool: reserveName(sanitised(child.agent_name, `agent_${child.child_agent_id}`)), child }));
  return { actions, children, stateTool: writable.length > 0 ? reserveName('update_state') : null };
}

export function describeCapabilities(
  { actions, children, stateTool }: Capabilities,
  fields: readonly FieldDraft[],
): Tool[] {
  return [
    ...describeTools(actions),
    ...children.map(({ tool, child }) => toolOf(tool, child.description ?? `Asks ${child.agent_name}.`, MESSAGE)),
    ...(stateTool ? [toolOf(stateTool, 'Writes fields of the session; null clears one.', propertiesOf(fields))] : []),
  ];
}

type Properties = Record<string, Record<string, unknown>>;

const MESSAGE: Properties = { message: { type: 'string', description: 'What to ask, with all it needs to know' } };

const toolOf = (name: string, description: string, properties: Properties): Tool => ({
  type: 'function',
  function: {
    name,
    description: cutText(description, 1024),
    parameters: {
      type: 'object',
      properties,
      required: properties === MESSAGE ? ['message'] : [],
      additionalProperties: false,
    },
  },
});

const TYPES = { date: 'string', enum: 'string' } as Record<string, string>;

const propertiesOf = (fields: readonly FieldDraft[]): Properties =>
  Object.fromEntries(
    fields.map(({ field_key, field_type, label, description, enum_values }) => [
      field_key,
      {
        type: TYPES[field_type] ?? field_type,
        description: [label, description].filter(Boolean).join(': '),
        ...(field_type === 'enum' && enum_values ? { enum: enum_values } : {}),
      },
    ]),
  );
