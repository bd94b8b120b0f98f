import { readStatement, txStatement } from '@signalbox/database';

export const FIND_TRACE = readStatement(
  { index: 'otel_traces_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT t.is_test, t.caller_span_id, t.first_arrival, t.last_arrival, t.closed_at
   FROM traffic.otel_traces t WHERE t.company_id = s.company AND t.trace_id = $2 AND t.record_count > 0
     AND t.pruned_at IS NULL OFFSET 0) x`,
);

export const RECORDS_OF_TRACE = readStatement(
  { index: 'otel_records_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT t.record_id, t.signal, t.is_request, t.is_recorded, t.content
   FROM traffic.otel_records t WHERE t.company_id = s.company AND t.trace_id = $2 ORDER BY t.record_id OFFSET 0) x`,
);

export const COUNT_AS_REQUESTS = txStatement(
  { index: 'otel_records_pkey' },
  `UPDATE traffic.otel_records SET is_request = true
   WHERE company_id = $1 AND trace_id = $2 AND record_id = ANY ($3::text[]) AND NOT is_request`,
);

export const MARK_RECORDED = txStatement(
  { index: 'otel_records_pkey' },
  `UPDATE traffic.otel_records SET is_recorded = true
   WHERE company_id = $1 AND trace_id = $2 AND record_id = ANY ($3::text[]) AND NOT is_recorded`,
);

export const CLOSE_TRACE = txStatement(
  { index: 'otel_traces_pkey' },
  `UPDATE traffic.otel_traces SET closed_at = $4
   WHERE company_id = $1 AND trace_id = $2 AND last_arrival = $3 AND closed_at IS NULL`,
);
