import { invalidField } from '../../errors.js';
import type { Class, JsonSchema } from '../../fields/field-types.js';
import { stringType } from '../../fields/field-types.js';
import {
  Default,
  field,
  Flag,
  Id,
  Int,
  Json,
  MapOf,
  Matching,
  Nested,
  Nullable,
  Num,
  OneOf,
  Optional,
  Slug,
  Str,
  Text,
} from '../../fields/fields.js';
import { nestedType } from '../../fields/field-types.js';
import { AtMostOne, Checked } from '../../fields/checks.js';
import { parse } from '../../fields/parse.js';
import { HEADER_NAME, ResponseFormat } from '../../shapes.js';
import { versionWord } from '../../versions/versions.js';
import { modelNameType } from '../model-names.js';

class LlmModelConfig {
  @field(modelNameType) @Nullable() @Optional() model?: string | null;
  @Num(0, 2) @Nullable() @Optional() temperature?: number | null;
  @Int(1, 1_000_000) @Nullable() @Optional() max_tokens?: number | null;
}

/** `action_config` of an `llm` action. */
export class LlmActionConfig {
  @Text() prompt!: string;
  @Text() @Nullable() @Optional() user_prompt?: string | null;
  @Nested(() => LlmModelConfig) @Default(() => new LlmModelConfig()) model_config!: LlmModelConfig;
  @Nested(() => ResponseFormat) @Nullable() @Optional() response_format?: ResponseFormat | null;
}

/** The authentication of an outbound call; the value fields may hold `{{secrets.NAME}}`. */
@Checked<ActionAuth>(({ type, token, username, header }) =>
  type === 'bearer' && !token
    ? { field: 'token', message: 'is required when type is bearer' }
    : type === 'basic' && !username
      ? { field: 'username', message: 'is required when type is basic' }
      : type === 'api_key' && !(token && header)
        ? { field: token ? 'header' : 'token', message: 'is required when type is api_key' }
        : undefined,
)
export class ActionAuth {
  @OneOf(['none', 'bearer', 'basic', 'api_key']) type!: 'none' | 'bearer' | 'basic' | 'api_key';
  @Str(0, 8192) @Nullable() @Optional() token?: string | null;
  @Str(0, 1000) @Nullable() @Optional() username?: string | null;
  @Str(0, 8192) @Nullable() @Optional() password?: string | null;
  @Matching(HEADER_NAME, 'a header name') @Nullable() @Optional() header?: string | null;
}

/** One argument that the model provides. */
export class ActionParameter {
  @OneOf(['string', 'number', 'boolean', 'object', 'array']) type!:
    'string' | 'number' | 'boolean' | 'object' | 'array';
  @Str(0, 2000) @Nullable() @Optional() description?: string | null;
  @Flag() @Default(false) required!: boolean;
}

const ARGUMENT_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const httpUrl = (): PropertyDecorator => Matching(/^https?:\/\/[^\s]{1,2000}$/, 'an http or https URL');

@Checked<ApiActionConfig>(({ parameters }) => {
  const bad = Object.keys(parameters).find((name) => !ARGUMENT_NAME.test(name));
  return bad === undefined
    ? undefined
    : { field: `parameters.${bad.slice(0, 80)}`, message: 'must be named with letters, digits, "_" and "-"' };
})
/** `action_config` of an `api` action. */
export class ApiActionConfig {
  @httpUrl() @Nullable() @Optional() base_url?: string | null;
  @Str(1, 2000) endpoint!: string;
  @OneOf(methods) @Default('POST') method!: (typeof methods)[number];
  @MapOf(stringType(0, 8192), HEADER_NAME, 50) @Default(() => ({})) headers!: Record<string, string>;
  @MapOf(stringType(0, 8192), /^[^\0]{1,200}$/, 50) @Default(() => ({})) query!: Record<string, string>;
  @Json(65_536) @Nullable() @Optional() body?: unknown;
  @Nested(() => ActionAuth) @Nullable() @Optional() auth?: ActionAuth | null;
  @field(nestedType(() => ActionParameter, 'map', 0, 50))
  @Default(() => ({}))
  parameters!: Record<string, ActionParameter>;
  @Int(100, 300_000) @Default(30_000) timeout_ms!: number;
  @Json(65_536) @Optional() mock_response?: unknown;
}

/** `action_config` of a `webhook` action: an outbound call, which may wait for a callback. */
export class WebhookActionConfig extends ApiActionConfig {
  @OneOf(['outbound', 'callback']) @Default('outbound') mode!: 'outbound' | 'callback';
  @Int(60, 604_800) @Default(86_400) ttl_seconds!: number;
}

/** `action_config` of a `maitai_workflow` action. */
@AtMostOne('version', 'release')
export class WorkflowActionConfig {
  @Id() workflow_id!: number;
  @field(versionWord) @Nullable() @Optional() version?: string | null;
  @Slug() @Nullable() @Optional() release?: string | null;
  @MapOf(stringType(1, 500)) @Default(() => ({})) input_mapping!: Record<string, string>;
}

const CONFIGS = {
  llm: LlmActionConfig,
  api: ApiActionConfig,
  webhook: WebhookActionConfig,
  maitai_workflow: WorkflowActionConfig,
} as const;

type ConfigOf<T extends keyof typeof CONFIGS> = InstanceType<(typeof CONFIGS)[T]>;

const PLACEHOLDER = /\{\{\s*secrets\./;

/** Placeholders are allowed in `auth` and `headers` only; elsewhere a change of host could leak them. */
function refusePlaceholders(value: unknown, path: string): void {
  if (typeof value === 'string' && PLACEHOLDER.test(value))
    throw invalidField(path, 'must not contain {{secrets.NAME}}: secrets belong in auth and headers');
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (path === 'action_config' && (key === 'auth' || key === 'headers')) continue;
    refusePlaceholders(child, `${path}.${key}`);
  }
}

/** Parses the config of an action of the given type and fills in its defaults; throws 400 that names each bad field. */
export function parseActionConfig<T extends keyof typeof CONFIGS>(type: T, config: unknown): ConfigOf<T> {
  const parsed = parse(CONFIGS[type] as Class<object>, config ?? {}, 'action_config');
  refusePlaceholders(config, 'action_config');
  return parsed as ConfigOf<T>;
}

/** The four shapes, for the OpenAPI document. */
export const ActionConfigSchema: JsonSchema = {
  oneOf: Object.values(CONFIGS).map((of) => ({ $class: of })),
};
