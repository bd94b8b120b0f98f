import {
  type ApiError,
  ChatMessage,
  CompletionCall,
  type EvaluationResult,
  openAiError,
  type Usage,
  withoutRest,
} from '@signalbox/contracts';
import type { RequestRecord } from '../request-records/index.js';

/** Never sent to a provider. */
const PLATFORM_FIELDS = new Set([
  'model',
  'stream',
  'application',
  'intent',
  'session_id',
  'metadata',
  'reference_id',
  'evaluation_enabled',
  'apply_corrections',
  'safe_mode',
  'fallback_config',
  'return_evaluation',
  'input',
  'secrets',
  'request_id',
]);

/** Includes keys that the platform does not know. */
export function parametersOfCall(call: CompletionCall): Record<string, unknown> & { messages: object[] } {
  const parameters: Record<string, unknown> & { messages: object[] } = {
    messages: call.messages.map((message) => withoutRest(ChatMessage, message)),
  };
  const given = withoutRest(CompletionCall, call);
  for (const name of Object.keys(given))
    if (given[name] != null && name !== 'messages' && !PLATFORM_FIELDS.has(name)) parameters[name] = given[name];
  return parameters;
}

export interface CallFacts {
  record: RequestRecord;
  requestId: string;
  sessionId: string | null;
  model: string;
  /** Of the answer. */
  usage: Usage;
  /** Of the task or run that was asked first and has failed; its model calls are recorded separately. */
  failedUsage?: Usage | undefined;
  fallbackReason: string | null;
  firstTokenMs: number | null;
  responseMs: number;
  /** Null for a call that does not ask for them. */
  evaluation: EvaluationResult[] | null;
  correctionApplied: boolean;
}

/** Described in docs/api/completions.md. */
export const extrasOf = (facts: CallFacts) => ({
  request_id: facts.requestId,
  session_id: facts.sessionId,
  ...(facts.evaluation ? { evaluate_response: facts.evaluation } : {}),
  correction_applied: facts.correctionApplied,
  fallback_used: facts.fallbackReason !== null,
  fallback_reason: facts.fallbackReason,
  first_token_time_ms: facts.firstTokenMs,
  response_time_ms: facts.responseMs,
});

/** For calls that are not streamed; changes the answer in place. */
export function replyOf<A extends { usage?: object | null }>(answer: A, facts: CallFacts): A {
  const usage = answer.usage ? Object.assign(answer.usage, facts.usage) : facts.usage;
  return Object.assign(answer, { model: facts.model, usage }, extrasOf(facts));
}

export const frame = (json: string): string => `data: ${json}\n\n`;

export const frameOf = (data: object): string => frame(JSON.stringify(data));

export const DONE = 'data: [DONE]\n\n';

export const errorFrame = (error: ApiError): string => frameOf({ error: openAiError(error) });
