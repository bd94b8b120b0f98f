import { Checked } from '../../fields/checks.js';
import type { Detail } from '../../errors.js';
import {
  field,
  Flag,
  Int,
  List,
  ListOf,
  Nested,
  Nullable,
  Num,
  Obj,
  OneOf,
  Optional,
  Rest,
  Str,
} from '../../fields/fields.js';
import { type FieldType, jsonType, objType, stringType } from '../../fields/field-types.js';
import { looseContentType } from '../../message-content.js';
import { Message, ResponseFormat, ToolCall } from '../../shapes.js';

/** Fields that replace the content of an assistant's message. */
const IN_PLACE_OF_CONTENT = ['refusal', 'audio', 'function_call'];

export function messageProblem({
  role,
  content,
  tool_calls,
  tool_call_id,
  $rest,
}: Message & Pick<ChatMessage, '$rest'>): Detail | undefined {
  if (role === 'tool' && tool_call_id === undefined)
    return { field: 'tool_call_id', message: 'is required in a message of a tool' };
  const has =
    content != null || (tool_calls ?? []).length > 0 || IN_PLACE_OF_CONTENT.some((key) => $rest?.[key] != null);
  return has ? undefined : { field: 'content', message: 'is required when tool_calls is absent' };
}

const callId = stringType(1, 200);
const functionName = stringType(1, 200);
const functionArguments = stringType(0, 1_000_000);

/** A call of a tool as OpenAI clients repeat it: it may have keys that only a provider knows. */
const toolCallType: FieldType = {
  schema: () => ({ $class: ToolCall }),
  problem: (value) => {
    const { id, type, function: called } = (value ?? {}) as Partial<Record<keyof ToolCall, unknown>>;
    if (callId.problem(id)) return 'must have an id';
    if (type !== 'function') return 'must have the type "function"';
    const { name, arguments: given } = (called ?? {}) as { name?: unknown; arguments?: unknown };
    if (functionName.problem(name)) return 'must have a function with a name';
    return functionArguments.problem(given) ? 'must have a function with arguments' : jsonType().problem(value);
  },
};

/** A message as OpenAI clients send it: they repeat an answer with all of its keys. */
@Checked(messageProblem)
export class ChatMessage extends Message {
  @field(looseContentType) @Nullable() @Optional() declare content?: Message['content'];
  @List(toolCallType, 0, 128) @Optional() declare tool_calls?: ToolCall[];
  @Rest() $rest?: Record<string, unknown>;
}

const stopType: FieldType = {
  schema: () => ({ oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, maxItems: 4 }] }),
  problem: (value) => {
    if (typeof value === 'string') return undefined;
    const good = Array.isArray(value) && value.length <= 4 && value.every((each) => typeof each === 'string');
    return good ? undefined : 'must be a string or a list of at most 4 strings';
  },
};

const toolType: FieldType = {
  schema: () => ({ type: 'object', additionalProperties: true, required: ['type', 'function'] }),
  problem: (value) => {
    const { type, function: called } = (value ?? {}) as { type?: unknown; function?: { name?: unknown } };
    if (type !== 'function') return 'must have the type "function"';
    return stringType(1, 64).problem(called?.name) ? 'must have a function with a name' : objType().problem(value);
  },
};

const toolChoiceType: FieldType = {
  schema: () => ({ oneOf: [{ enum: ['none', 'auto', 'required'] }, { type: 'object' }] }),
  problem: (value) => {
    if (value === 'none' || value === 'auto' || value === 'required') return undefined;
    const { type, function: called } = (value ?? {}) as { type?: unknown; function?: { name?: unknown } };
    const good = type === 'function' && typeof called?.name === 'string';
    return good ? undefined : 'must be none, auto, required or name a function';
  },
};

/** The parameters of OpenAI's chat completions. */
export class OpenAiParameters {
  @ListOf(() => ChatMessage, 1, 1000) messages!: ChatMessage[];
  @Str(1, 200) @Nullable() @Optional() model?: string | null;
  @Num(0, 2) @Nullable() @Optional() temperature?: number | null;
  @Num(0, 1) @Nullable() @Optional() top_p?: number | null;
  @Int(1, 8) @Nullable() @Optional() n?: number | null;
  @Flag() @Nullable() @Optional() stream?: boolean | null;
  @Obj() @Nullable() @Optional() stream_options?: { include_usage?: boolean } | null;
  @field(stopType) @Nullable() @Optional() stop?: string | string[] | null;
  @Int(1, 1_000_000) @Nullable() @Optional() max_tokens?: number | null;
  @Int(1, 1_000_000) @Nullable() @Optional() max_completion_tokens?: number | null;
  @Num(-2, 2) @Nullable() @Optional() presence_penalty?: number | null;
  @Num(-2, 2) @Nullable() @Optional() frequency_penalty?: number | null;
  @Flag() @Nullable() @Optional() logprobs?: boolean | null;
  @Int(0, 20) @Nullable() @Optional() top_logprobs?: number | null;
  @Nested(() => ResponseFormat) @Nullable() @Optional() response_format?: ResponseFormat | null;
  @List(toolType, 0, 128) @Nullable() @Optional() tools?: { function: { name: string } }[] | null;
  @field(toolChoiceType) @Nullable() @Optional() tool_choice?: unknown;
  @Flag() @Nullable() @Optional() parallel_tool_calls?: boolean | null;
  @Int(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER) @Nullable() @Optional() seed?: number | null;
  @Str() @Nullable() @Optional() user?: string | null;
  @OneOf(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']) @Nullable() @Optional() reasoning_effort?:
    string | null;
}
