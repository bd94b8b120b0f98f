import type { Detail } from '@signalbox/contracts';
import type { AgentSnapshot } from '../agents/agent-snapshot.js';
import { modelsOfAction, modelsOfAgent, type NamedModel } from '../agents/named-models.js';

/** The models that a snapshot names. */
export const modelsOf = (snapshot: AgentSnapshot): NamedModel[] => [
  ...modelsOfAgent(snapshot),
  ...snapshot.actions.flatMap(({ action_config }, at) => modelsOfAction(action_config, `actions[${at}].`)),
];

/** What keeps a snapshot from ever running: an enabled action without its config, a model that does not exist. */
export const obstacles = (snapshot: AgentSnapshot, unknown: readonly NamedModel[]): Detail[] => [
  ...snapshot.actions.flatMap(({ enabled, action_config, action_name }, at) =>
    enabled && action_config === null
      ? [{ field: `actions[${at}].action_config`, message: `is missing: action ${action_name} cannot run` }]
      : [],
  ),
  ...unknown.map(({ field, model }) => ({ field, message: `names model ${model}, which does not exist` })),
];
