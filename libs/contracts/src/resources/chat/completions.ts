import { defineContract } from '../../contract.js';
import { chunks, list } from '../../contract/outputs.js';
import {
  Count,
  Default,
  Flag,
  Int,
  join,
  Json,
  ListOf,
  Nested,
  Nullable,
  Obj,
  Optional,
  Rest,
  Description,
  Str,
  Uuid,
} from '../../fields/fields.js';
import { Secrets } from '../../shapes.js';
import { CallFallback } from '../config.js';
import { EvaluationResult } from '../evaluations/evaluation-results.js';
import { ChatMessage, OpenAiParameters } from './completion-parameters.js';

/** How the platform handles a call. */
export class CallHandling {
  @Str(1, 200) @Optional() @Description('Name or reference name; an unknown one is created') application?: string;
  @Str(1, 200) @Optional() @Description('Name of the intent; an unknown one is created') intent?: string;
  @Flag() @Nullable() @Optional() evaluation_enabled?: boolean | null;
  @Flag() @Nullable() @Optional() apply_corrections?: boolean | null;
  @Flag() @Nullable() @Optional() safe_mode?: boolean | null;
  @Nested(() => CallFallback) @Nullable() @Optional() fallback_config?: CallFallback | null;
  @Flag() @Default(false) return_evaluation!: boolean;
  @Json() @Optional() input?: unknown;
  @Secrets() @Optional() secrets?: Record<string, string>;
}

/** Further fields that the platform adds to OpenAI's parameters. */
class CallRecordFields {
  @Str(1, 128) @Optional() session_id?: string;
  @Obj() @Nullable() @Optional() metadata?: Record<string, unknown> | null;
  @Str(0, 200) @Nullable() @Optional() reference_id?: string | null;
  @Rest() $rest?: Record<string, unknown>;
}

export class CompletionCall extends join(join(OpenAiParameters, CallHandling), CallRecordFields) {}

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

/** Chat completions in the OpenAI shape (docs/api/completions.md). */
export const completions = defineContract(
  { name: 'completions', service: 'traffic', tag: 'Chat completions', inProcess: true },
  {
    createCompletion: {
      post: '/chat/completions',
      summary: 'Create a chat completion',
      errors: ['not_found', 'conflict', 'refused', 'bad_upstream'],
      scope: 'invoke',
      input: CompletionCall,
      output: Completion,
      http: {
        body: 'large',
        bearer: true,
        protocol: 'openai',
        headers: {
          application: 'X-Service-Application',
          intent: 'X-Service-Intent',
          session_id: 'X-Service-Session-Id',
        },
      },
      reply: { kind: 'chunks', flag: 'stream', endpoint: 'streamCompletion' },
      delivery: { slow: true, abandonable: true },
    },
    streamCompletion: {
      summary: 'Stream a chat completion',
      input: CompletionCall,
      output: chunks(),
      http: { body: 'large' },
      delivery: { slow: true, abandonable: true },
    },
    storeCompletion: {
      put: '/chat/completions/response',
      summary: 'Store an answer that was produced elsewhere',
      errors: ['conflict'],
      input: StoreCompletion,
      output: StoredCompletion,
      http: { body: 'large', exactMethod: true },
    },
    // Chosen: an addition to the API; clients that import a log store many answers at once. All or none.
    storeCompletions: {
      put: '/chat/completions/responses',
      summary: 'Store many answers that were produced elsewhere',
      errors: ['conflict'],
      input: StoreCompletions,
      output: list(StoredCompletion),
      http: { body: 'large', exactMethod: true },
    },
  },
);
