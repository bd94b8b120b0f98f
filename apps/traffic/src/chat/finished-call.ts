import {
  type CallFallback,
  type Caller,
  type CompletionCall,
  JsonText,
  type RequestType,
  type Usage,
} from '@signalbox/contracts';
import { costOf } from '@signalbox/llm';
import { type AwaitedEvaluation, evaluationAfter, resultsOf } from './answer-evaluation.js';
import type { FinishedCall, RequestRecord } from '../request-records/index.js';
import { newMessagesIn } from '../sessions/index.js';
import type { CompletionBackend, Parameters } from './backends/completion-backend.js';
import type { CallFailure } from './call-failure.js';
import { type ProviderReply, type CallOrigin, usageOf } from './chat-call.js';
import type { CallFacts } from './completion-call.js';
import type { CallScope } from './scope/call-scope.js';

export interface CallInput {
  requestId: string;
  caller: Caller;
  call: CompletionCall;
  place: CallScope;
  sessionId: string | null;
  requestType: RequestType;
  rerunOf?: string | undefined;
  limitMs?: number | undefined;
  /** Absent for calls of clients, whose sessions are those of chat traffic. */
  madeBy?: CallOrigin | undefined;
}

export interface Prepared extends CallInput {
  parameters: Parameters;
  written: string;
  first: CompletionBackend;
  plan: CallFallback | null;
  began: number;
}

export interface BackendAnswer<T> {
  by: CompletionBackend;
  value: T;
}

export interface CallOutcome {
  by: CompletionBackend;
  reason: string | null;
  answer: ProviderReply | null;
  failure: CallFailure | null;
  firstTokenMs: number | null;
  /** Of the task or run whose failure the answer of the fallback replaces. */
  failedUsage?: Usage | undefined;
  /** For calls that then wait for their evaluation. */
  answeredAt?: number;
  evaluation?: AwaitedEvaluation | null;
}

export function finishedCallOf(prepared: Prepared, outcome: CallOutcome): FinishedCall {
  const { caller, call, sessionId, first, plan, began, rerunOf = null, madeBy } = prepared;
  const { by, reason, answer, failure, firstTokenMs, answeredAt = Date.now(), evaluation } = outcome;
  return {
    requestId: prepared.requestId,
    companyId: caller.companyId,
    place: prepared.place,
    sessionId,
    // The session of another service belongs to its task or run.
    inSession: sessionId !== null && !madeBy,
    ...madeBy,
    referenceId: call.reference_id ?? null,
    requestType: prepared.requestType,
    rerunOf,
    answeredBy: by.answeredBy?.(answer) ?? null,
    inferenceLocation: 'SERVER',
    model: by.model,
    provider: by.provider,
    metadata: call.metadata ?? {},
    params: new JsonText(prepared.written),
    newMessages: sessionId === null ? null : newMessagesIn(prepared.parameters.messages),
    answer,
    failure,
    fallback: reason === null ? null : { reason, primary: first.model, strategy: plan?.strategy ?? null },
    usage: usageOf(answer, costIn(answer, by)),
    firstTokenMs,
    responseMs: answeredAt - began,
    began,
    evaluation: evaluation?.recorded ?? evaluationAfter(call),
  };
}

export function factsOf(
  { call, requestId, sessionId }: Prepared,
  { by, reason, failedUsage, evaluation }: CallOutcome,
  record: RequestRecord,
  { usage, firstTokenMs, responseMs }: FinishedCall,
): CallFacts {
  const results = evaluation ? resultsOf(record, evaluation.recorded) : [];
  return {
    record,
    requestId,
    sessionId,
    model: by.model,
    usage,
    failedUsage,
    fallbackReason: reason,
    firstTokenMs,
    responseMs: responseMs ?? 0,
    evaluation: call.return_evaluation ? results : null,
    correctionApplied: evaluation?.recorded.corrected === true,
  };
}

function costIn(answer: ProviderReply | null, { answeredBy, prices }: CompletionBackend): number | null {
  if (!answer?.usage) return null;
  if (answeredBy) return typeof answer.usage.cost === 'number' ? answer.usage.cost : null;
  return costOf({ ...usageOf(answer, null) }, prices);
}
