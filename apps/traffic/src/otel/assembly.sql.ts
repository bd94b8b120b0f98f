import { readStatement, txStatement } from '@signalbox/database';

export const DUE_TRACES = readStatement(
  { index: 'otel_traces_due' },
  `SELECT x.* FROM s, LATERAL (SELECT t.trace_id, t.is_test, t.caller_span_id, t.record_count, t.bytes,
     t.first_arrival, t.last_arrival, t.attempts
   FROM traffic.otel_traces t WHERE t.company_id = s.company AND t.closed_at IS NULL AND t.record_count > 0
     AND t.due_at <= $2 ORDER BY t.due_at LIMIT $3 OFFSET 0) x`,
);

export const NEXT_DUE = readStatement(
  { index: 'otel_traces_due' },
  `SELECT x.* FROM s, LATERAL (SELECT t.due_at FROM traffic.otel_traces t
   WHERE t.company_id = s.company AND t.closed_at IS NULL AND t.record_count > 0
   ORDER BY t.due_at LIMIT 1 OFFSET 0) x`,
);

export const RECORDS_OF_TRACES = readStatement(
  { index: 'otel_records_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT t.trace_id, t.record_id, t.signal, t.is_request, t.is_recorded, t.content
   FROM traffic.otel_records t WHERE t.company_id = s.company AND t.trace_id = ANY ($2::text[])
   ORDER BY t.trace_id, t.record_id OFFSET 0) x`,
);

export const COUNT_AS_REQUESTS = txStatement(
  { index: 'otel_records_pkey' },
  `UPDATE traffic.otel_records t SET is_request = true FROM unnest($2::text[], $3::text[]) u(trace, record)
   WHERE t.company_id = $1 AND t.trace_id = u.trace AND t.record_id = u.record AND NOT t.is_request`,
);

export const MARK_RECORDED = txStatement(
  { index: 'otel_records_pkey' },
  `UPDATE traffic.otel_records t SET is_recorded = true FROM unnest($2::text[], $3::text[]) u(trace, record)
   WHERE t.company_id = $1 AND t.trace_id = u.trace AND t.record_id = u.record AND NOT t.is_recorded`,
);

export const PUT_OFF_TRACES = txStatement(
  { index: 'otel_traces_pkey' },
  `UPDATE traffic.otel_traces t SET due_at = u.due, attempts = u.attempts, closed_at = CASE WHEN u.closes THEN $7::bigint END
   FROM unnest($2::text[], $3::int[], $4::bigint[], $5::int[], $6::boolean[]) u(id, count, due, attempts, closes)
   WHERE t.company_id = $1 AND t.trace_id = u.id AND t.record_count = u.count AND t.closed_at IS NULL`,
);

export const MAKE_DUE = txStatement(
  { index: 'otel_traces_pkey' },
  `UPDATE traffic.otel_traces SET due_at = 0
   WHERE company_id = $1 AND trace_id = $2 AND closed_at IS NULL AND record_count > 0`,
);
