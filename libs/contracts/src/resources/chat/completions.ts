import { Checked } from '../../fields/checks.js';
import { defineContract } from '../../contract.js';
import { chunks, list } from '../../contract/outputs.js';
import type { Detail } from '../../errors.js';
import {
  Count,
  Default,
  field,
  Flag,
  Int,
  join,
  Json,
  List,
  ListOf,
  MapOf,
  Nested,
  Nullable,
  Num,
  Obj,
  OneOf,
  Optional,
  Rest,
  Description,
  Str,
  Uuid,
} from '../../fields/fields.js';
import { type FieldType, objType, stringType } from '../../fields/field-types.js';
import { looseContentType } from '../../message-content.js';
import { Message, ResponseFormat, SECRET_NAME } from '../../shapes.js';
import { CallFallback } from '../config.js';
import { EvaluationResult } from '../evaluations/evaluation-results.js';

/** Fields that replace the content of an assistant's message. */
const IN_PLACE_OF_CONTENT = ['refusal', 'audio', 'function_call'];

function messageProblem({ role, content, tool_calls, tool_call_id, $rest }: ChatMessage): Detail | undefined {
  if (role === 'tool' && tool_call_id === undefined)
    return { field: 'tool_call_id', message: 'is required in a message of a tool' };
  const has =
    content != null || (tool_calls ?? []).length > 0 || IN_PLACE_OF_CONTENT.some((key) => $rest?.[key] != null);
  return has ? undefined : { field: 'content', message: 'is required when tool_calls is absent' };
}

/** A message as OpenAI clients send it: they repeat an answer with all of its keys. */
@Checked(messageProblem)
export class ChatMessage extends Message {
  @field(looseContentType) @Nullable() @Optional() declare content?: Message['content'];
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
class OpenAiParameters {
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

/** Fields that the platform adds to OpenAI's parameters. */
class CallPlaceFields {
  @Str(1, 200) @Optional() @Description('Name or reference name; an unknown one is created') application?: string;
  @Str(1, 200) @Optional() @Description('Name of the intent; an unknown one is created') intent?: string;
  @Str(1, 128) @Optional() session_id?: string;
  @Obj() @Nullable() @Optional() metadata?: Record<string, unknown> | null;
  @Str(0, 200) @Nullable() @Optional() reference_id?: string | null;
  @Flag() @Nullable() @Optional() evaluation_enabled?: boolean | null;
  @Flag() @Nullable() @Optional() apply_corrections?: boolean | null;
  @Flag() @Nullable() @Optional() safe_mode?: boolean | null;
  @Nested(() => CallFallback) @Nullable() @Optional() fallback_config?: CallFallback | null;
  @Flag() @Default(false) return_evaluation!: boolean;
  @Json() @Optional() input?: unknown;
  @MapOf(stringType(1, 8192), SECRET_NAME, 50) @Optional() secrets?: Record<string, string>;
  @Rest() $rest?: Record<string, unknown>;
}

/** The input of a chat completion. */
export class CompletionCall extends join(OpenAiParameters, CallPlaceFields) {}

/** A chat completion in the OpenAI shape, with what the platform adds. */
export class Completion {
  @Str() id!: string;
  @Str() object!: string;
  @Count() created!: number;
  @Str() model!: string;
  @Json() choices!: unknown[];
  @Json() @Nullable() @Optional() usage?: unknown;
  @Str(1, 128) request_id!: string;
  @Str(1, 128) session_id!: string;
  @ListOf(() => EvaluationResult) @Optional() evaluate_response?: EvaluationResult[];
  @Flag() correction_applied!: boolean;
  @Flag() fallback_used!: boolean;
  @Str() @Nullable() @Optional() fallback_reason?: string | null;
  @Count() @Nullable() @Optional() first_token_time_ms?: number | null;
  @Count() response_time_ms!: number;
  @Json() @Optional() output?: unknown;
  @Rest() $rest?: Record<string, unknown>;
}

class CallMadeElsewhere extends CompletionCall {
  @Uuid() @Optional() request_id?: string;
}
class Timing {
  @Int(0) @Nullable() @Optional() first_token_time_ms?: number | null;
  @Int(0) @Nullable() @Optional() response_time_ms?: number | null;
}
class AnswerMadeElsewhere {
  @ListOf(() => AnsweredChoice, 1, 8) choices!: AnsweredChoice[];
  @Rest() $rest?: Record<string, unknown>;
}
class AnsweredChoice {
  @Nested(() => ChatMessage) message!: ChatMessage;
  @Rest() $rest?: Record<string, unknown>;
}
class StoreCompletion {
  @Nested(() => CallMadeElsewhere) chat_completion_request!: CallMadeElsewhere;
  @Nested(() => AnswerMadeElsewhere) chat_completion_response!: AnswerMadeElsewhere;
  @Nested(() => Timing) @Nullable() @Optional() timing?: Timing | null;
}
class StoreCompletions {
  @ListOf(() => StoreCompletion, 1, 100) items!: StoreCompletion[];
}
/** Whether the answer was new. */
export class StoredCompletion {
  @Uuid() request_id!: string;
  @Flag() created!: boolean;
}

/** Chat completions in the OpenAI shape (api.md 3.1). */
export const completions = defineContract(
  { name: 'completions', service: 'traffic', tag: 'Chat completions', inProcess: true },
  {
    createCompletion: {
      post: '/chat/completions',
      summary: 'Create a chat completion',
      errors: ['not_found', 'conflict', 'refused', 'bad_upstream'],
      scope: 'invoke',
      body: 'large',
      bearer: true,
      slow: true,
      abandonable: true,
      shape: 'openai',
      chunked: { flag: 'stream', endpoint: 'streamCompletion' },
      headers: {
        application: 'X-Service-Application',
        intent: 'X-Service-Intent',
        session_id: 'X-Service-Session-Id',
      },
      input: CompletionCall,
      output: Completion,
    },
    streamCompletion: {
      summary: 'Stream a chat completion',
      body: 'large',
      slow: true,
      abandonable: true,
      input: CompletionCall,
      output: chunks(),
    },
    storeCompletion: {
      put: '/chat/completions/response',
      summary: 'Store an answer that was produced elsewhere',
      errors: ['conflict'],
      body: 'large',
      verb: true,
      input: StoreCompletion,
      output: StoredCompletion,
    },
    // Chosen: an addition to the API; clients that import a log store many answers at once. All or none.
    storeCompletions: {
      put: '/chat/completions/responses',
      summary: 'Store many answers that were produced elsewhere',
      errors: ['conflict'],
      body: 'large',
      verb: true,
      input: StoreCompletions,
      output: list(StoredCompletion),
    },
  },
);
