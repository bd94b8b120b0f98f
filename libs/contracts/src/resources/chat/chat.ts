import { defineContract } from '../../contract.js';
import { chunks } from '../../contract/outputs.js';
import {
  Default,
  Flag,
  Id,
  Int,
  join,
  Json,
  ListOf,
  Nested,
  Nullable,
  Num,
  Obj,
  OneOf,
  Optional,
  partial,
  Description,
  Str,
  Uuid,
} from '../../fields/fields.js';
import { Message, ResponseFormat, Usage } from '../../shapes.js';
import { ChatMessage } from './completion-parameters.js';
import { CallHandling } from './completions.js';
import { REQUEST_ORIGINS } from './recorded-requests.js';

/** The origins of requests that are not chat completions of a client. */
export const SERVICE_ORIGINS = REQUEST_ORIGINS.filter((origin) => origin !== 'CHAT' && origin !== 'EXTERNAL');

/** The scope and the handling of a call that a script describes like a client of chat completions. */
class ScriptedCall extends partial(CallHandling) {}

/** Messages of a call that may be left out, oldest first, so that the rest fits into the context of the model. */
class CallHistory {
  @Int(0, 1) from!: number;
  @Int(1, 1000) count!: number;
}

/** A task of an agent begins with as many messages as a client may send, and each of its calls adds some. */
const MAX_MESSAGES = 20_000;

class ServiceCallFields {
  @Str(1, 200)
  @Nullable()
  @Optional()
  @Description('Only calls of workflows may name an agent or a workflow')
  model?: string | null;
  @Id()
  @Nullable()
  @Optional()
  @Description('Its configuration applies to what the call leaves open')
  application_id?: number | null;
  @Id() @Optional() @Description('An intent of the application, whose configuration applies first') intent_id?: number;
  @Id() @Optional() agent_id?: number;
  @Id() @Optional() workflow_id?: number;
  @Str(1, 200)
  @Optional()
  @Description('The release that the task or run executes, such as agent:12@stable')
  release?: string;
  @ListOf(() => ChatMessage, 1, MAX_MESSAGES) messages!: ChatMessage[];
  @Nested(() => CallHistory) @Optional() history?: CallHistory;
  @Json() @Optional() tools?: unknown[];
  @Json() @Optional() tool_choice?: unknown;
  @Num(0, 2) @Optional() temperature?: number;
  @Int(1, 1_000_000) @Optional() max_tokens?: number;
  @Nested(() => ResponseFormat) @Nullable() @Optional() response_format?: ResponseFormat | null;
  @Obj() @Optional() @Description('Further OpenAI parameters, sent to the provider as they are') parameters?: Record<
    string,
    unknown
  >;
  @Uuid()
  @Optional()
  @Description('The id of the recorded request: a repeated call with it gets the answer of the first one')
  request_id?: string;
  @Str(1, 128) @Optional() session_id?: string;
  @Str(0, 200) @Optional() reference_id?: string;
  @OneOf(['PROD', 'SYNTHETIC']) @Default('PROD') request_type!: 'PROD' | 'SYNTHETIC';
  @OneOf(SERVICE_ORIGINS) @Optional() origin?: (typeof SERVICE_ORIGINS)[number];
  @Str(1, 128) @Optional() @Description('The task or run that makes the call') origin_id?: string;
  @Obj() @Default(() => ({})) metadata!: Record<string, unknown>;
  @Flag() @Optional() @Description('The result has the completion with all of its keys') with_completion?: boolean;
}

/** One call of a model on behalf of another service. */
export class ChatCall extends join(ServiceCallFields, ScriptedCall) {}

/** The release field of the calls of a task or run, which has none when it executes a version or the draft. */
export const executedRelease = (
  parent: 'agent' | 'workflow',
  id: number,
  release: string | null,
): Pick<ChatCall, 'release'> => (release === null ? {} : { release: `${parent}:${id}@${release}` });

/** The model's answer with what it cost. */
export class ChatResult {
  @Str() request_id!: string;
  @Str() model!: string;
  @Nested(() => Message) message!: Message;
  @Str() finish_reason!: string;
  @Nested(() => Usage) usage!: Usage;
  @Json() @Optional() completion?: unknown;
}

/** One line of a streamed call: a text delta, or at the end the whole answer. */
export type ChatDelta = { text: string } | { result: ChatResult };

/** Internal: every model call of the platform uses this contract. */
export const chat = defineContract(
  { name: 'chat', service: 'traffic', tag: 'Internal' },
  {
    complete: {
      summary: 'Call a model and record the request',
      input: ChatCall,
      output: ChatResult,
      http: { body: 'large' },
      delivery: { slow: true, abandonable: true },
    },
    stream: {
      summary: 'Call a model and stream its answer: lines of ChatDelta',
      input: ChatCall,
      output: chunks(),
      http: { body: 'large' },
      delivery: { slow: true, abandonable: true },
    },
  },
);
