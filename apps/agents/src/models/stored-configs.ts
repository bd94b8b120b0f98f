import type { AgentConfig } from '@signalbox/contracts';

/** A reference to a model, and the field that contains it. */
export interface NamedModel {
  field: string;
  model: string;
}

/** The fields of an agent that refer to models. */
interface AgentModels {
  model?: string | null | undefined;
  agent_config?: Record<string, unknown> | undefined;
}

const STEPS = ['orchestrate', 'process', 'respond'] as const;

/** The parts of a snapshot that refer to models. */
interface CallingModels extends AgentModels {
  actions: readonly { action_type: string; enabled: boolean; action_config: Record<string, unknown> | null }[];
}

/** The models that an agent's own fields refer to; its config has been parsed. */
export function modelsOfAgent({ model, agent_config }: AgentModels, path = ''): NamedModel[] {
  const { steps } = (agent_config ?? {}) as AgentConfig;
  return [
    ...(model == null ? [] : [{ field: `${path}model`, model }]),
    ...STEPS.flatMap((step) => {
      const named = steps?.[step]?.model;
      return typeof named === 'string' ? [{ field: `${path}agent_config.steps.${step}.model`, model: named }] : [];
    }),
  ];
}

/** The model that the config of an action refers to. */
export function modelsOfAction(config: Record<string, unknown> | null | undefined, path = ''): NamedModel[] {
  const model = (config?.['model_config'] as { model?: string | null } | undefined)?.model;
  return typeof model === 'string' ? [{ field: `${path}action_config.model_config.model`, model }] : [];
}

/** The models that a task of the agent may call, and whether it may call the default model. */
export function modelsOfTask(agent: CallingModels): { named: NamedModel[]; namesNone: boolean } {
  const ofAgent = modelsOfAgent(agent);
  const ofActions = agent.actions
    .map((action, at) => ({ ...action, at }))
    .filter(({ enabled, action_type }) => enabled && action_type === 'llm')
    .map(({ action_config, at }) => modelsOfAction(action_config, `actions[${at}].`));
  const namesNone =
    agent.model == null && (ofAgent.length < STEPS.length || ofActions.some(({ length }) => length === 0));
  return { named: [...ofAgent, ...ofActions.flat()], namesNone };
}
