import { type ApiError, ChatMessage, CompletionCall, openAiError, type Usage, withoutRest } from '@signalbox/contracts';
import type { RequestRecord } from '../requests/request-record.js';

/** What of a call is ours and never goes to a provider. */
const OURS = new Set([
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

/** The parameters that travel to the provider: those that were given, and the keys that only it may know. */
export function parametersOfCall(call: CompletionCall): Record<string, unknown> & { messages: object[] } {
  const parameters: Record<string, unknown> & { messages: object[] } = {
    messages: call.messages.map((message) => withoutRest(ChatMessage, message)),
  };
  const given = withoutRest(CompletionCall, call);
  for (const name of Object.keys(given))
    if (given[name] != null && name !== 'messages' && !OURS.has(name)) parameters[name] = given[name];
  return parameters;
}

/** What is known of a call next to its answer. */
export interface CallFacts {
  record: RequestRecord;
  requestId: string;
  sessionId: string | null;
  model: string;
  usage: Usage;
  fallbackReason: string | null;
  firstTokenMs: number | null;
  responseMs: number;
  withEvaluation: boolean;
}

/** The keys that the platform adds to an answer (api.md 3.1). */
export const extrasOf = (facts: CallFacts) => ({
  request_id: facts.requestId,
  session_id: facts.sessionId,
  ...(facts.withEvaluation ? { evaluate_response: [] } : {}),
  correction_applied: false,
  fallback_used: facts.fallbackReason !== null,
  fallback_reason: facts.fallbackReason,
  first_token_time_ms: facts.firstTokenMs,
  response_time_ms: facts.responseMs,
});

/** Makes the answer of a provider the reply to a call that is not streamed; nobody else needs it any more. */
export function replyOf<A extends { usage?: object | null }>(answer: A, facts: CallFacts): A {
  const usage = answer.usage ? Object.assign(answer.usage, facts.usage) : facts.usage;
  return Object.assign(answer, { model: facts.model, usage }, extrasOf(facts));
}

/** One frame of a stream, of JSON. */
export const frame = (json: string): string => `data: ${json}\n\n`;

export const frameOf = (data: object): string => frame(JSON.stringify(data));

/** The end of a stream. */
export const DONE = 'data: [DONE]\n\n';

/** A failure in a stream that has begun. */
export const errorFrame = (error: ApiError): string => frameOf({ error: openAiError(error) });
