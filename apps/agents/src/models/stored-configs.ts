import {
  type ActionType,
  type AgentConfig,
  ApiError,
  type Detail,
  parseActionConfig,
  parseAgentConfig,
} from '@signalbox/contracts';

export interface NamedModel {
  field: string;
  model: string;
}

interface AgentModels {
  model?: string | null | undefined;
  agent_config?: Record<string, unknown> | undefined;
}

const STEPS = ['orchestrate', 'process', 'respond'] as const;

interface CallingModels extends AgentModels {
  actions: readonly { action_type: string; enabled: boolean; action_config: Record<string, unknown> | null }[];
}

/** The config must have been parsed. */
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

export function modelsOfAction(config: Record<string, unknown> | null | undefined, path = ''): NamedModel[] {
  const model = (config?.['model_config'] as { model?: string | null } | undefined)?.model;
  return typeof model === 'string' ? [{ field: `${path}action_config.model_config.model`, model }] : [];
}

/** `namesNone` = the task may call the default model. */
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

interface StoredConfigs {
  agent_config: Record<string, unknown>;
  actions: readonly { action_type: ActionType; enabled: boolean; action_config: Record<string, unknown> | null }[];
}

/** Configs may be older than their validation. */
export const unusableConfigs = (snapshot: StoredConfigs): Detail[] => [
  ...problemsOf(() => parseAgentConfig(snapshot.agent_config)),
  ...snapshot.actions.flatMap(({ enabled, action_type, action_config }, at) =>
    enabled && action_config !== null
      ? problemsOf(() => parseActionConfig(action_type, action_config), `actions[${at}].`)
      : [],
  ),
];

function problemsOf(parse: () => unknown, path = ''): Detail[] {
  try {
    parse();
    return [];
  } catch (error) {
    if (!(error instanceof ApiError) || error.kind !== 'invalid') throw error;
    return (error.extras.details ?? []).map(({ field, message }) => ({ field: `${path}${field}`, message }));
  }
}
