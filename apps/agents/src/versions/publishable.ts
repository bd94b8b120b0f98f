import type { Detail } from '@signalbox/contracts';
import type { AgentSnapshot } from '../drafts/index.js';
import { collisionOf } from '../mcp-servers/index.js';
import { modelsOfAction, modelsOfAgent, type NamedModel, unusableConfigs } from '../models/index.js';

export const modelsOf = (snapshot: AgentSnapshot): NamedModel[] => [
  ...modelsOfAgent(snapshot),
  ...snapshot.actions.flatMap(({ action_config }, at) => modelsOfAction(action_config, `actions[${at}].`)),
];

/** A server that was never asked for its tools, or two tools that would have one name. */
function serverProblems({ actions, mcp_servers = [] }: AgentSnapshot): Detail[] {
  const own = actions.filter(({ enabled }) => enabled).map(({ action_name }) => action_name);
  const collision = collisionOf(
    mcp_servers.map(({ name, tools }) => ({ name, tools: tools.map((tool) => tool.name) })),
    own,
  );
  return [
    ...mcp_servers.flatMap(({ name, tools }, at) =>
      tools.length === 0
        ? [{ field: `mcp_servers[${at}]`, message: `has no tools: refresh MCP server ${name} and look at its lists` }]
        : [],
    ),
    ...(collision === null ? [] : [{ field: 'mcp_servers', message: `cannot be used together: ${collision}` }]),
  ];
}

export const publishProblems = (snapshot: AgentSnapshot, unknown: readonly NamedModel[]): Detail[] => [
  ...snapshot.actions.flatMap(({ enabled, action_config, action_name }, at) =>
    enabled && action_config === null
      ? [{ field: `actions[${at}].action_config`, message: `is missing: action ${action_name} cannot run` }]
      : [],
  ),
  ...serverProblems(snapshot),
  ...unusableConfigs(snapshot),
  ...unknown.map(({ field, model }) => ({ field, message: `names model ${model}, which does not exist` })),
];
