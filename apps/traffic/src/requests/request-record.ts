import type { ChatCall, FailureClass, Usage } from '@signalbox/contracts';
import { storableJson, storableText } from './json-text.js';

/** One model call as it is kept; JSON columns are texts already. */
export interface RequestRecord {
  company_id: number;
  request_id: string;
  application_id: number | null;
  session_id: string | null;
  reference_id: string | null;
  request_type: string;
  model: string;
  provider: string;
  params: string;
  response: string | null;
  status: 'COMPLETED' | 'FAILED';
  failure_class: FailureClass | null;
  error_message: string | null;
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  cost: number | null;
  response_time_ms: number;
  metadata: string;
  date_created: number;
}

/** What a record is made from. */
export interface FinishedCall {
  requestId: string;
  companyId: number;
  target: { model: string; access: { provider_name: string } };
  call: ChatCall;
  params: object;
  answer: object | null;
  failure: { failureClass: FailureClass; message: string } | null;
  usage: Usage;
  began: number;
}

/** The record of a call that has just ended. */
export function recordOf({ requestId, companyId, target, call, params, answer, failure, usage, began }: FinishedCall) {
  return {
    company_id: companyId,
    request_id: requestId,
    application_id: call.application_id ?? null,
    session_id: call.session_id ?? null,
    reference_id: call.reference_id ?? null,
    request_type: call.request_type,
    model: target.model,
    provider: target.access.provider_name,
    params: storableJson(params),
    response: answer === null ? null : storableJson(answer),
    status: failure === null ? 'COMPLETED' : 'FAILED',
    failure_class: failure?.failureClass ?? null,
    error_message: failure === null ? null : storableText(failure.message),
    prompt_tokens: usage.prompt_tokens,
    completion_tokens: usage.completion_tokens,
    total_tokens: usage.total_tokens,
    cost: usage.cost,
    response_time_ms: Date.now() - began,
    metadata: storableJson(call.metadata),
    date_created: began,
  } satisfies RequestRecord;
}
