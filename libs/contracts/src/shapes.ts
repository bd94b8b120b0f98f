import {
  Count,
  Default,
  Epoch,
  field,
  Flag,
  Int,
  Json,
  ListOf,
  Matching,
  Nested,
  Nullable,
  Num,
  OneOf,
  Optional,
  Str,
} from './fields.js';
import { type FieldType, objType, stringType } from './field-types.js';
import { Checked } from './parse.js';

/** The four parameters of every list (api.md 1.7). */
export class ListQuery {
  @Int(0, Number.MAX_SAFE_INTEGER) @Default(0) offset!: number;
  @Int(1, 100) @Default(25) limit!: number;
  @Str(0, 200) @Optional() search?: string;
  @Str(1, 64) @Default('-id') sort!: string;
}

/** A list narrowed to a span of time: `start_date` inclusive, `end_date` exclusive, epoch ms. */
@Checked<TimedListQuery>(({ start_date, end_date }) =>
  start_date !== undefined && end_date !== undefined && start_date >= end_date
    ? { field: 'start_date', message: 'must be before end_date' }
    : undefined,
)
export class TimedListQuery extends ListQuery {
  @Epoch() @Optional() start_date?: number;
  @Epoch() @Optional() end_date?: number;
}

/** The reply of every delete: the last id, name or key of the path. */
export class Deleted {
  @Json() id!: number | string;
  @Flag() deleted!: boolean;
}

/** An input without fields. */
export class Nothing {}

/** One function a model asks to call. */
export class FunctionCall {
  @Str(1, 200) name!: string;
  @Str(0, 1_000_000) arguments!: string;
}

/** A tool call inside an assistant message. */
export class ToolCall {
  @Str(1, 200) id!: string;
  @OneOf(['function']) type!: 'function';
  @Nested(() => FunctionCall) function!: FunctionCall;
}

const contentType = (strict: boolean): FieldType => ({
  schema: () => ({ oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'object' } }, { type: 'null' }] }),
  problem: (value: unknown): string | undefined => {
    if (typeof value === 'string') return stringType(0, 10_000_000).problem(value);
    if (!Array.isArray(value)) return 'must be a string, null or a list of parts';
    for (const part of value as unknown[]) {
      const problem = partProblem(part) ?? (strict ? surplusIn(part as object) : undefined);
      if (problem) return problem;
    }
    return undefined;
  },
});

/** The content of a message as OpenAI clients send it: a part may have keys that only a provider knows. */
export const looseContentType = contentType(false);

function partProblem(part: unknown): string | undefined {
  const {
    type,
    text,
    image_url: image,
  } = (part ?? {}) as { type?: unknown; text?: unknown; image_url?: { url?: unknown } };
  if (type === 'text') return stringType(0, 10_000_000).problem(text) ? 'has a text part without text' : undefined;
  if (type === 'image_url')
    return stringType(1, 10_000_000).problem(image?.url) ? 'has an image part without url' : undefined;
  return 'has a part that is neither text nor image_url';
}

/** What a good part has beside what it may have. */
function surplusIn(part: { type?: unknown; image_url?: object }): string | undefined {
  const surplus =
    Object.keys(part).find((key) => key !== 'type' && key !== part.type) ??
    Object.keys(part.image_url ?? {}).find((key) => key !== 'url');
  return surplus === undefined ? undefined : `has a part with the unknown field ${surplus.slice(0, 100)}`;
}

/** The roles of a message. */
export const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'] as const;

/** A chat message in the OpenAI shape (api.md 1.12). */
export class Message {
  @OneOf(ROLES) role!: (typeof ROLES)[number];
  @field(contentType(true)) @Nullable() @Optional() content?:
    string | { type: string; text?: string; image_url?: { url: string } }[] | null;
  @Str(1, 200) @Optional() name?: string;
  @ListOf(() => ToolCall, 0, 128) @Optional() tool_calls?: ToolCall[];
  @Str(1, 200) @Optional() tool_call_id?: string;
}

/** The schema part of a structured response format. */
export class JsonSchemaFormat {
  @Matching(/^[A-Za-z0-9_-]{1,64}$/, 'a name of letters, digits, "_" and "-"') name!: string;
  @field(objType()) schema!: Record<string, unknown>;
  @Flag() @Nullable() @Optional() strict?: boolean | null;
  @Str() @Optional() description?: string;
}

/** How a final answer is to be shaped. */
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

/** Enabled or disabled. */
export const ON_OFF = ['ENABLED', 'DISABLED'] as const;
/** Enabled or disabled. */
export type OnOff = (typeof ON_OFF)[number];

/** The six ways of not succeeding (api.md 1.11). */
export const FAILURE_CLASSES = ['quality', 'provider', 'timeout', 'sandbox', 'adapter', 'judge', 'internal'] as const;
/** One failure class. */
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** What went wrong in a task or run, more closely than its class. */
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
  'child_failed',
] as const;
/** One error code. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** `NAME → value` of the secrets of one call; never stored. */
export const SECRET_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
