import {
  Default,
  field,
  Flag,
  Int,
  join,
  List,
  MapOf,
  Nested,
  Nullable,
  Num,
  Obj,
  OneOf,
  Optional,
  Description,
  Str,
  Text,
} from '../fields/fields.js';
import { type Class, oneOfType, stringType } from '../fields/field-types.js';
import { ResponseFormat } from '../shapes.js';
import { answererType } from './model-names.js';

/** When the fallback model replaces the requested one. */
export const FALLBACK_STRATEGIES = ['reactive', 'timeout', 'first_response'] as const;
export type FallbackStrategy = (typeof FALLBACK_STRATEGIES)[number];

/** The model that replaces the requested one when that fails or is slow. */
export class CallFallback {
  @Str(1, 128) model!: string;
  @OneOf(FALLBACK_STRATEGIES) strategy!: FallbackStrategy;
  @Int(100, 600_000) @Default(10_000) timeout_ms!: number;
}

export const REASONING_EFFORTS = ['low', 'medium', 'high'] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** The call settings of an application, intent group or intent; null removes the field. */
export class Config {
  @field(answererType) @Nullable() @Optional() model?: string | null;
  @Num(0, 2) @Nullable() @Optional() temperature?: number | null;
  @Num(0, 1) @Nullable() @Optional() top_p?: number | null;
  @Int(1, 1_000_000) @Nullable() @Optional() max_tokens?: number | null;
  @Int(1, 8) @Nullable() @Optional() n?: number | null;
  @List(stringType(0, 1000), 0, 4) @Nullable() @Optional() stop?: string[] | null;
  @Num(-2, 2) @Nullable() @Optional() presence_penalty?: number | null;
  @Num(-2, 2) @Nullable() @Optional() frequency_penalty?: number | null;
  @Flag() @Nullable() @Optional() logprobs?: boolean | null;
  @Nested(() => ResponseFormat) @Nullable() @Optional() response_format?: ResponseFormat | null;
  @Text() @Nullable() @Optional() @Description('Put first when the call has no system message') system_prompt?:
    string | null;
  @OneOf(REASONING_EFFORTS) @Nullable() @Optional() reasoning_effort?: ReasoningEffort | null;
  @Int(100, 600_000) @Nullable() @Optional() timeout_ms?: number | null;
  @Flag() @Nullable() @Optional() evaluation_enabled?: boolean | null;
  @Flag() @Nullable() @Optional() @Description('Needs evaluation_enabled') apply_corrections?: boolean | null;
  @Flag() @Nullable() @Optional() @Description('Needs apply_corrections') safe_mode?: boolean | null;
  @Nested(() => CallFallback) @Nullable() @Optional() fallback_config?: CallFallback | null;
  @Obj() @Nullable() @Optional() @Description('Merged into the metadata of each request') metadata?: Record<
    string,
    unknown
  > | null;
}

/** The resolved configuration of calls: every field has a value. */
export class EffectiveConfig {
  @field(answererType) @Nullable() model!: string | null;
  @Num(0, 2) temperature!: number;
  @Num(0, 1) top_p!: number;
  @Int(1, 1_000_000) @Nullable() max_tokens!: number | null;
  @Int(1, 8) n!: number;
  @List(stringType(0, 1000), 0, 4) @Nullable() stop!: string[] | null;
  @Num(-2, 2) presence_penalty!: number;
  @Num(-2, 2) frequency_penalty!: number;
  @Flag() logprobs!: boolean;
  @Nested(() => ResponseFormat) @Nullable() response_format!: ResponseFormat | null;
  @Text() @Nullable() system_prompt!: string | null;
  @OneOf(REASONING_EFFORTS) @Nullable() reasoning_effort!: ReasoningEffort | null;
  @Int(100, 600_000) timeout_ms!: number;
  @Flag() evaluation_enabled!: boolean;
  @Flag() apply_corrections!: boolean;
  @Flag() safe_mode!: boolean;
  @Nested(() => CallFallback) @Nullable() fallback_config!: CallFallback | null;
  @Obj() metadata!: Record<string, unknown>;
}

/** The values of fields that no configuration sets (docs/api/traffic.md). */
export const CONFIG_DEFAULTS: Readonly<EffectiveConfig> = {
  model: null,
  temperature: 1,
  top_p: 1,
  max_tokens: null,
  n: 1,
  stop: null,
  presence_penalty: 0,
  frequency_penalty: 0,
  logprobs: false,
  response_format: null,
  system_prompt: null,
  reasoning_effort: null,
  timeout_ms: 60_000,
  evaluation_enabled: true,
  apply_corrections: false,
  safe_mode: false,
  fallback_config: null,
  metadata: {},
};

export const CONFIG_SOURCES = ['application', 'intent_group', 'intent', 'default'] as const;
export type ConfigSource = (typeof CONFIG_SOURCES)[number];

/** A configuration as written, its effective values, and the source of each field. */
export class ConfigView {
  @Nested(() => Config) config!: Config;
  @Nested(() => EffectiveConfig) effective_config!: EffectiveConfig;
  @MapOf(oneOfType(CONFIG_SOURCES)) inherited_from!: Record<string, ConfigSource>;
}

/** The endpoints of the configuration of one resource; the same for every resource that has one (docs/api/traffic.md). */
export function configEndpoints<const Root extends string, P extends object>(root: Root, path: Class<P>, noun: string) {
  return {
    get: {
      get: `${root}/config`,
      summary: `Get the configuration of ${noun}`,
      input: path,
      output: ConfigView,
    },
    update: {
      put: `${root}/config`,
      summary: `Change fields of the configuration of ${noun}`,
      errors: ['refused'],
      input: join(path, Config),
      output: ConfigView,
    },
    reset: {
      post: `${root}/config/reset`,
      summary: `Remove every field that the configuration of ${noun} sets`,
      input: path,
      output: ConfigView,
    },
  } as const;
}
