import {
  type Emission,
  type EvaluationState,
  emission,
  type RequestRecord as EventRecord,
  type RequestType,
  trafficEvents,
  type Usage,
} from '@signalbox/contracts';
import type { RequestRecord } from '../request-record.js';

function usageOf({ answered_usage, prompt_tokens, completion_tokens, total_tokens, cost }: RequestRecord): Usage {
  if (answered_usage != null) return JSON.parse(answered_usage) as Usage;
  return { prompt_tokens, completion_tokens, total_tokens, cost };
}

export function eventRecordOf(record: RequestRecord, id: number, state: EvaluationState): EventRecord {
  return {
    id,
    request_id: record.request_id,
    application_id: record.application_id,
    intent_id: record.intent_id,
    intent_group_id: record.intent_group_id,
    session_id: record.session_id,
    reference_id: record.reference_id,
    request_type: record.request_type as RequestType,
    // Spool lines of earlier releases lack the later fields.
    origin: record.origin ?? (record.agent_id === null ? 'CHAT' : 'AGENT'),
    origin_id: record.origin_id ?? null,
    rerun_of: record.rerun_of ?? null,
    task_id: record.task_id ?? null,
    run_id: record.run_id ?? null,
    inference_location: record.inference_location,
    model: record.model,
    is_corrected: false,
    correction_applied: record.evaluation?.mode === 'DONE' && record.evaluation.corrected,
    status: record.status,
    failure_class: record.failure_class,
    error_message: record.error_message,
    fallback_used: record.fallback_used,
    fallback_reason: record.fallback_reason,
    evaluation_status: state,
    usage: usageOf(record),
    first_token_time_ms: record.first_token_time_ms,
    response_time_ms: record.response_time_ms,
    metadata: JSON.parse(record.metadata) as Record<string, unknown>,
    tags: [],
    date_created: record.date_created,
    date_updated: record.date_created,
  };
}

export function eventsOf(record: RequestRecord, id: number, state: EvaluationState): Emission[] {
  const data = eventRecordOf(record, id, state);
  const ended = record.status === 'COMPLETED' ? 'request.completed' : 'request.failed';
  const { request_id, primary_model } = record;
  return [
    emission(trafficEvents, ended, request_id, data),
    ...(record.fallback_used
      ? [emission(trafficEvents, 'request.fallback_used', request_id, { ...data, primary_model })]
      : []),
  ];
}
