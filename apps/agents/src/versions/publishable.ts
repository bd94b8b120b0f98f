import type { Detail } from '@signalbox/contracts';
import type { AgentSnapshot } from '../drafts/index.js';
import { modelsOfAction, modelsOfAgent, type NamedModel, unusableConfigs } from '../models/index.js';

export const modelsOf = (snapshot: AgentSnapshot): NamedModel[] => [
  ...modelsOfAgent(snapshot),
  ...snapshot.actions.flatMap(({ action_config }, at) => modelsOfAction(action_config, `actions[${at}].`)),
];

/**
 * The problems that prevent a snapshot from running: an enabled action without a config, an invalid config, a model
 * that does not exist.
 */
export const publishProblems = (snapshot: AgentSnapshot, unknown: readonly NamedModel[]): Detail[] => [
  ...snapshot.actions.flatMap(({ enabled, action_config, action_name }, at) =>
    enabled && action_config === null
      ? [{ field: `actions[${at}].action_config`, message: `is missing: action ${action_name} cannot run` }]
      : [],
  ),
  ...unusableConfigs(snapshot),
  ...unknown.map(({ field, model }) => ({ field, message: `names model ${model}, which does not exist` })),
];
