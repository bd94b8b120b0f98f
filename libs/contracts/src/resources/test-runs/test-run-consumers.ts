import { AtMostOne } from '../../fields/checks.js';
import { type Class, type FieldType, type JsonSchema, stringType } from '../../fields/field-types.js';
import {
  Default,
  Description,
  field,
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
import { parse } from '../../fields/parse.js';
import { ResponseFormat } from '../../shapes.js';
import { REASONING_EFFORTS, type ReasoningEffort } from '../config.js';
import { versionWord } from '../../versions/versions.js';
import type { ConsumerKind } from './test-sets/test-data.js';
import { FLATTEN_VARIANTS, type FlattenVariant } from './test-sets/test-set-items.js';

const modelNameOrId: FieldType = {
  schema: () => ({ oneOf: [{ type: 'string' }, { type: 'integer' }] }),
  problem: (value) =>
    (typeof value === 'string' && value.length > 0 && value.length <= 128) ||
    (Number.isInteger(value) && (value as number) > 0)
      ? undefined
      : 'must be the name or the id of a model',
  fromText: (text) => text,
};

/** `consumer_config` of a run against a model. */
export class ModelConsumer {
  @field(modelNameOrId) model!: string | number;
  @Text() @Nullable() @Optional() system_prompt?: string | null;
  @Num(0, 2) @Nullable() @Optional() temperature?: number | null;
  @Int(1, 1_000_000) @Nullable() @Optional() max_tokens?: number | null;
  @Nested(() => ResponseFormat) @Nullable() @Optional() response_format?: ResponseFormat | null;
  @Json() @Nullable() @Optional() tools?: unknown[] | null;
  @Json() @Nullable() @Optional() tool_choice?: unknown;
  @Num(0, 1) @Nullable() @Optional() top_p?: number | null;
  @Int(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER) @Nullable() @Optional() seed?: number | null;
  @OneOf(REASONING_EFFORTS) @Nullable() @Optional() reasoning_effort?: ReasoningEffort | null;
  @Id() @Nullable() @Optional() application_id?: number | null;
  @Id() @Nullable() @Optional() intent_id?: number | null;
}

/** `consumer_config` of a run against a workflow. */
@AtMostOne('version', 'release')
export class WorkflowConsumer {
  @Id() workflow_id!: number;
  @field(versionWord) @Nullable() @Optional() version?: string | null;
  @Slug() @Nullable() @Optional() release?: string | null;
  @MapOf(stringType(1, 500)) @Default(() => ({})) input_mapping!: Record<string, string>;
}

/** `consumer_config` of a run against an agent. */
@AtMostOne('version', 'release')
export class AgentConsumer {
  @Id() agent_id!: number;
  @field(versionWord) @Nullable() @Optional() version?: string | null;
  @Slug() @Nullable() @Optional() release?: string | null;
  @OneOf(FLATTEN_VARIANTS) @Default('agent_first_user_message') flatten_variant!: FlattenVariant;
  @Int(1, 100) @Nullable() @Optional() max_iterations?: number | null;
  @Nested(() => ResponseFormat) @Nullable() @Optional() response_format?: ResponseFormat | null;
}

const HTTP_URL = /^https?:\/\/[^\s]{1,2000}$/;
const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$/;
/** The methods of calls of programs that run elsewhere. */
export const EXTERNAL_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** `consumer_config` of a run against a program that runs elsewhere: each item is a call over HTTP. */
export class ExternalConsumer {
  @Id() @Nullable() @Optional() @Description('An EXTERNAL agent, whose version the run is of') agent_id?: number | null;
  @field(versionWord) @Nullable() @Optional() version?: string | null;
  @Matching(HTTP_URL, 'an http or https URL') url!: string;
  @OneOf(EXTERNAL_METHODS) @Default('POST') method!: (typeof EXTERNAL_METHODS)[number];
  @MapOf(stringType(0, 4000), HEADER, 50)
  @Default(() => ({}))
  @Description('Values may contain {{secrets.NAME}}')
  headers!: Record<string, string>;
  @Json()
  @Default(() => ({ input: '{{input}}', messages: '{{messages}}' }))
  @Description('The body as JSON, in which the texts "{{input}}" and "{{messages}}" are replaced by values')
  body_template!: unknown;
  @Str(1, 500)
  @Nullable()
  @Optional()
  @Description('Dotted path to the output in the answer; default: the answer')
  output_path?: string | null;
  @Int(100, 300_000) @Default(60_000) timeout_ms!: number;
}

const CONFIGS = {
  MODEL: ModelConsumer,
  WORKFLOW: WorkflowConsumer,
  AGENT: AgentConsumer,
  EXTERNAL: ExternalConsumer,
} as const;

export type ConsumerConfigOf<K extends ConsumerKind> = InstanceType<(typeof CONFIGS)[K]>;

/** Parses the configuration of a consumer and fills in its defaults; throws 400 that names each bad field. */
export function parseConsumerConfig<K extends ConsumerKind>(kind: K, config: unknown): ConsumerConfigOf<K> {
  return parse(CONFIGS[kind] as Class<object>, config, 'consumer_config') as ConsumerConfigOf<K>;
}

/** The shapes by kind, for the OpenAPI document. */
export const ConsumerConfigSchema: JsonSchema = {
  oneOf: Object.values(CONFIGS).map((of) => ({ $class: of })),
};
