import {
  Count,
  Default,
  Epoch,
  field,
  Flag,
  Int,
  Json,
  ListOf,
  MapOf,
  Matching,
  Nested,
  Nullable,
  Num,
  OneOf,
  Optional,
  Str,
} from './fields/fields.js';
import { objType, utf8Type } from './fields/field-types.js';
import { contentType } from './message-content.js';
import { Checked } from './fields/checks.js';

/** The four parameters of every list (docs/api/README.md). */
export class ListQuery {
  @Int(0, Number.MAX_SAFE_INTEGER) @Default(0) offset!: number;
  @Int(1, 100) @Default(25) limit!: number;
  @Str(0, 200) @Optional() search?: string;
  @Str(1, 64) @Default('-id') sort!: string;
}

const PLAIN_SORTS = ['id', 'date_created', 'date_updated'].flatMap((name) => [name, `-${name}`]);

/** The `sort` of a list that is sorted only by the fields that every record has. */
export const PlainSort = (): PropertyDecorator => (prototype, key) => {
  OneOf(PLAIN_SORTS)(prototype, key);
  Default('-id')(prototype, key);
};

/** `start_date` comes before `end_date` when both are given. */
export const DateRange = Checked<{ start_date?: number; end_date?: number }>(({ start_date, end_date }) =>
  start_date !== undefined && end_date !== undefined && start_date >= end_date
    ? { field: 'start_date', message: 'must be before end_date' }
    : undefined,
);

/** The filter of a list by date range: `start_date` inclusive, `end_date` exclusive, epoch ms. */
@DateRange
export class TimedListQuery extends ListQuery {
  @Epoch() @Optional() start_date?: number;
  @Epoch() @Optional() end_date?: number;
}

/** The reply of every delete: the last id, name or key of the path. */
export class Deleted {
  @Json() id!: number | string;
  @Flag() deleted!: boolean;
}

export class EmptyInput {}

/** The fields of every event of a stream (docs/api/streams.md). */
export class StreamFrame {
  @Str() type!: string;
  @Count() seq!: number;
  @Epoch() timestamp!: number;
}

export class FunctionCall {
  @Str(1, 200) name!: string;
  @Str(0, 1_000_000) arguments!: string;
}

export class ToolCall {
  @Str(1, 200) id!: string;
  @OneOf(['function']) type!: 'function';
  @Nested(() => FunctionCall) function!: FunctionCall;
}

export const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'] as const;

/** A chat message in the OpenAI shape (docs/api/README.md). */
export class Message {
  @OneOf(ROLES) role!: (typeof ROLES)[number];
  @field(contentType) @Nullable() @Optional() content?:
    string | { type: string; text?: string; image_url?: { url: string } }[] | null;
  @Str(1, 200) @Optional() name?: string;
  @ListOf(() => ToolCall, 0, 128) @Optional() tool_calls?: ToolCall[];
  @Str(1, 200) @Optional() tool_call_id?: string;
}

export class JsonSchemaFormat {
  @Matching(/^[A-Za-z0-9_-]{1,64}$/, 'a name of letters, digits, "_" and "-"') name!: string;
  @field(objType()) schema!: Record<string, unknown>;
  @Flag() @Nullable() @Optional() strict?: boolean | null;
  @Str() @Optional() description?: string;
}

/** The requested shape of a final answer. */
@Checked<ResponseFormat>((format) =>
  format.type === 'json_schema' && !format.json_schema
    ? { field: 'json_schema', message: 'is required when type is json_schema' }
    : undefined,
)
export class ResponseFormat {
  @OneOf(['text', 'json_object', 'json_schema']) type!: 'text' | 'json_object' | 'json_schema';
  @Nested(() => JsonSchemaFormat) @Optional() json_schema?: JsonSchemaFormat;
}

/** Tokens and their price in US dollars; cost is null when the model has no price. */
export class Usage {
  @Count() prompt_tokens!: number;
  @Count() completion_tokens!: number;
  @Count() total_tokens!: number;
  @Num(0) @Nullable() @Default(null) cost!: number | null;
}

export const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;

export const NO_USAGE: Readonly<Usage> = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cost: null };

/** The cost is null when neither has one. */
export const addUsage = (left: Usage, right: Usage): Usage => ({
  prompt_tokens: left.prompt_tokens + right.prompt_tokens,
  completion_tokens: left.completion_tokens + right.completion_tokens,
  total_tokens: left.total_tokens + right.total_tokens,
  cost: left.cost === null && right.cost === null ? null : (left.cost ?? 0) + (right.cost ?? 0),
});

export const ON_OFF = ['ENABLED', 'DISABLED'] as const;
export type OnOff = (typeof ON_OFF)[number];

export { FAILURE_CLASSES, type FailureClass } from './failure-classes.js';

/** The causes of a failed task or run, more specific than its class. */
export const ERROR_CODES = [
  'max_iterations',
  'budget_exceeded',
  'secrets_unavailable',
  'output_schema',
  'interrupted',
  'script_error',
  'egress_denied',
  'webhook_ttl',
  'provider_error',
  'timeout',
  'depth_exceeded',
  'cancelled',
  // Chosen: a rule that takes too long to evaluate is no failure of a provider, and no judgement of the work either.
  'rule_too_costly',
  // Chosen: what can only be repaired by configuring it again is no failure of a provider.
  'model_not_found',
  'application_disabled',
  'invalid_config',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export const SECRET_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** `NAME → value` of the secrets of one call; never stored. At most 50, each value of 1 to 8192 bytes. */
export const Secrets = (): PropertyDecorator => MapOf(utf8Type(1, 8192), SECRET_NAME, 50);
