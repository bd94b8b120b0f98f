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

/** The fields of a call that are never sent to a provider. */
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

/** The parameters that are sent to the provider: the given ones, and unknown keys. */
export function parametersOfCall(call: CompletionCall): Record<string, unknown> & { messages: object[] } {
  const parameters: Record<string, unknown> & { messages: object[] } = {
    messages: call.messages.map((message) => withoutRest(ChatMessage, message)),
  };
  const given = withoutRest(CompletionCall, call);
  for (const name of Object.keys(given))
    if (given[name] != null && name !== 'messages' && !OURS.has(name)) parameters[name] = given[name];
  return parameters;
}

/** The facts about a call that are added to its answer. */
export interface CallFacts {
  record: RequestRecord;
  requestId: string;
  sessionId: string | null;
  model: string;
  usage: Usage;
  fallbackReason: string | null;
  firstTokenMs: number | null;
  responseMs: number;
  /** The results of sentinels; null for a call that does not ask for them. */
  evaluation: EvaluationResult[] | null;
  correctionApplied: boolean;
}

/** The keys that the platform adds to an answer (docs/api/completions.md). */
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

/** Turns the answer of a provider into the reply of a call that is not streamed; changes the answer in place. */
export function replyOf<A extends { usage?: object | null }>(answer: A, facts: CallFacts): A {
  const usage = answer.usage ? Object.assign(answer.usage, facts.usage) : facts.usage;
  return Object.assign(answer, { model: facts.model, usage }, extrasOf(facts));
}

export const frame = (json: string): string => `data: ${json}\n\n`;

export const frameOf = (data: object): string => frame(JSON.stringify(data));

/** The end of a stream. */
export const DONE = 'data: [DONE]\n\n';

/** A failure in a stream that has begun. */
export const errorFrame = (error: ApiError): string => frameOf({ error: openAiError(error) });
