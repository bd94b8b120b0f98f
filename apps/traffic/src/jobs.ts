import { job } from '@signalbox/platform';

/** The kinds of jobs of this service, apart from those of its runs. */
export const trafficJobs = {
  /** Tags a new request by the rules of its company. */
  tagRequest: job('tag_request', { requestId: 'text' }),
  /** Moves the large parts of a recorded request into the object store. */
  offloadPayload: job('large_parts', { requestId: 'text' }),
  /** Judges a new request by the sentinels of its group. */
  evaluateRequest: job('evaluate_request', { requestId: 'text' }),
  /** The same, with a corrected answer. */
  evaluateAndCorrectRequest: job('evaluate_and_correct_request', { requestId: 'text' }),
  /** Puts the traces of OpenTelemetry of a company together that are due. */
  assembleTraces: job('otel_traces', {}, { soonest: true }),
  /** The same for one trace: processes of the release before add it. */
  assembleTrace: job('otel_trace', { traceId: 'text' }),
  summariseSession: job('session_summary', { sessionId: 'text' }),
};
