import {
  type FailureClass,
  type JsonText,
  NO_USAGE,
  type RequestOrigin,
  type RequestType,
  type Usage,
} from '@signalbox/contracts';
import type { RecordedEvaluation } from '../judging/index.js';
import { storableJson, storableText } from './json-text.js';

/** JSON columns are serialised. */
export interface RequestRecord {
  company_id: number;
  request_id: string;
  application_id: number | null;
  intent_id: number | null;
  intent_group_id: number | null;
  agent_id: number | null;
  session_id: string | null;
  /** True for a session of chat traffic, which is created and counted with its requests. */
  in_session: boolean;
  reference_id: string | null;
  request_type: string;
  inference_location: 'SERVER' | 'CLIENT';
  model: string;
  provider: string;
  params: string;
  response: string | null;
  status: 'COMPLETED' | 'FAILED';
  failure_class: FailureClass | null;
  error_message: string | null;
  fallback_used: boolean;
  fallback_reason: string | null;
  primary_model: string | null;
  /** Absent in lines of the spool that an earlier release wrote. */
  fallback_strategy?: string | null;
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  cost: number | null;
  first_token_time_ms: number | null;
  response_time_ms: number | null;
  metadata: string;
  date_created: number;
  origin: RequestOrigin;
  origin_id: string | null;
  rerun_of: string | null;
  task_id: string | null;
  run_id: string | null;
  /** JSON of the usage of the task or run that answered; its calls are counted, this one is not. */
  answered_usage: string | null;
  /** Absent in lines of the spool that an earlier release wrote. */
  evaluation?: RecordedEvaluation | null;
  /** The workflow whose run made the call, and the release that its task or run executes; absent in such lines too. */
  workflow_id?: number | null;
  release?: string | null;
  /** Messages after the last answer among those of the call; absent in such lines too. */
  new_messages?: number | null;
}

export interface AnsweredBy {
  taskId: string | null;
  runId: string | null;
}

export interface FinishedCall {
  requestId: string;
  companyId: number;
  place: { applicationId: number | null; intentId: number | null; intentGroupId: number | null };
  agentId?: number | null;
  workflowId?: number | null;
  release?: string | null;
  sessionId: string | null;
  inSession: boolean;
  referenceId: string | null;
  requestType: RequestType;
  origin?: RequestOrigin;
  originId?: string | null;
  rerunOf?: string | null;
  answeredBy?: AnsweredBy | null;
  inferenceLocation: 'SERVER' | 'CLIENT';
  model: string;
  provider: string;
  metadata: object;
  params: object | JsonText<object>;
  /** Messages after the last answer in `params`, for the timeline of the session. */
  newMessages?: number | null;
  answer: object | null;
  failure: { failureClass: FailureClass | null; message: string } | null;
  fallback: { reason: string; primary: string; strategy: string | null } | null;
  usage: Usage;
  firstTokenMs: number | null;
  responseMs: number | null;
  began: number;
  evaluation?: RecordedEvaluation | null;
}

export function recordOf(call: FinishedCall): RequestRecord {
  const { place, answer, failure, fallback, answeredBy = null } = call;
  const usage = answeredBy ? NO_USAGE : call.usage;
  return {
    company_id: call.companyId,
    request_id: call.requestId,
    application_id: place.applicationId,
    intent_id: place.intentId,
    intent_group_id: place.intentGroupId,
    agent_id: call.agentId ?? null,
    session_id: call.sessionId,
    in_session: call.inSession,
    reference_id: call.referenceId,
    request_type: call.requestType,
    inference_location: call.inferenceLocation,
    model: call.model,
    provider: call.provider,
    params: storableJson(call.params),
    response: answer === null ? null : storableJson(answer),
    status: failure === null ? 'COMPLETED' : 'FAILED',
    failure_class: failure?.failureClass ?? null,
    error_message: failure === null ? null : storableText(failure.message),
    fallback_used: fallback !== null,
    fallback_reason: fallback?.reason ?? null,
    primary_model: fallback?.primary ?? null,
    fallback_strategy: fallback?.strategy ?? null,
    prompt_tokens: usage.prompt_tokens,
    completion_tokens: usage.completion_tokens,
    total_tokens: usage.total_tokens,
    cost: usage.cost,
    first_token_time_ms: call.firstTokenMs,
    response_time_ms: call.responseMs,
    metadata: storableJson(call.metadata),
    date_created: call.began,
    origin: call.origin ?? 'CHAT',
    origin_id: call.originId ?? null,
    rerun_of: call.rerunOf ?? null,
    task_id: answeredBy?.taskId ?? null,
    run_id: answeredBy?.runId ?? null,
    answered_usage: answeredBy && JSON.stringify(call.usage),
    evaluation: call.evaluation ?? null,
    workflow_id: call.workflowId ?? null,
    release: call.release ?? null,
    new_messages: call.newMessages ?? null,
  };
}

/** The error message of a record whose content the database refused. */
export const CONTENT_MISSING = 'its content cannot be stored';

/** For testing whether the database accepts records. */
export const emptyRecord = (companyId: number, requestId = '00000000-0000-4000-8000-000000000000'): RequestRecord =>
  recordOf({
    requestId,
    companyId,
    place: { applicationId: null, intentId: null, intentGroupId: null },
    sessionId: null,
    inSession: false,
    referenceId: null,
    requestType: 'SYNTHETIC',
    inferenceLocation: 'SERVER',
    model: 'none',
    provider: 'none',
    metadata: {},
    params: {},
    answer: null,
    failure: null,
    fallback: null,
    usage: NO_USAGE,
    firstTokenMs: null,
    responseMs: null,
    began: Date.now(),
  });
