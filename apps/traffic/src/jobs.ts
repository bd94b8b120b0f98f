import { job } from '@signalbox/platform';

export const trafficJobs = {
  tagRequest: job('tag_request', { requestId: 'text' }),
  offloadPayload: job('large_parts', { requestId: 'text' }),
  evaluateRequest: job('evaluate_request', { requestId: 'text' }),
  evaluateAndCorrectRequest: job('evaluate_and_correct_request', { requestId: 'text' }),
  /** Assembles the OpenTelemetry traces of a company that are due. */
  assembleTraces: job('otel_traces', {}, { soonest: true }),
  /** The same for one trace; only processes of the previous release add it. */
  assembleTrace: job('otel_trace', { traceId: 'text' }),
  summariseSession: job('session_summary', { sessionId: 'text' }),
};
