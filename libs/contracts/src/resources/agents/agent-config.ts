import { parse, withoutRest } from '../../fields/parse.js';
import { field, Int, Nested, Nullable, Num, Optional, Rest, Text } from '../../fields/fields.js';
import { modelNameType } from '../model-names.js';

/** Model and extra prompt of one kind of model call. */
export class AgentStepConfig {
  @field(modelNameType) @Nullable() @Optional() model?: string | null;
  @Text() @Nullable() @Optional() prompt?: string | null;
}

/** The kinds of model calls that have their own configuration. */
export class AgentStepConfigs {
  @Nested(() => AgentStepConfig) @Nullable() @Optional() orchestrate?: AgentStepConfig | null;
  @Nested(() => AgentStepConfig) @Nullable() @Optional() process?: AgentStepConfig | null;
  @Nested(() => AgentStepConfig) @Nullable() @Optional() respond?: AgentStepConfig | null;
}

/** `agent_config`: the keys that the platform knows; other keys are kept unchanged. */
export class AgentConfig {
  @Num(0, 2) @Nullable() @Optional() temperature?: number | null;
  @Int(1, 1_000_000) @Nullable() @Optional() max_tokens?: number | null;
  @Nested(() => AgentStepConfigs) @Nullable() @Optional() steps?: AgentStepConfigs | null;
  @Rest() $others?: Record<string, unknown>;
}

/** Parses the known keys of an `agent_config`; throws 400 that names each bad field. */
export function parseAgentConfig(config: Record<string, unknown>, path = 'agent_config'): AgentConfig {
  return withoutRest(AgentConfig, parse(AgentConfig, config, path)) as AgentConfig;
}
