import { txStatement, readStatement } from '@signalbox/database';

export const LOCK_TRACES = txStatement(
  { index: 'otel_traces_pkey' },
  `INSERT INTO traffic.otel_traces AS t (company_id, trace_id, first_arrival, last_arrival)
   SELECT $1, u.id, $3, $3 FROM unnest($2::text[]) u(id) ORDER BY u.id
   ON CONFLICT (company_id, trace_id) DO UPDATE SET record_count = t.record_count
   RETURNING trace_id, record_count, bytes,
     CASE WHEN record_count = 0 OR closed_at IS NOT NULL THEN $3::bigint ELSE first_arrival END AS first_arrival, pruned_at`,
);

export const KNOWN_RECORDS = txStatement(
  { index: 'otel_records_pkey' },
  `SELECT t.trace_id || ' ' || t.record_id AS key FROM unnest($2::text[], $3::text[]) u(trace, record)
   JOIN traffic.otel_records t ON t.company_id = $1 AND t.trace_id = u.trace AND t.record_id = u.record`,
);

export const INSERT_RECORDS = txStatement(
  { index: null },
  `INSERT INTO traffic.otel_records (company_id, trace_id, record_id, signal, content, received_at)
   SELECT $1, u.trace, u.record, u.signal, u.content, $6
   FROM unnest($2::text[], $3::text[], $4::text[], $5::json[]) u(trace, record, signal, content)`,
);

export const REOPEN_TRACES = txStatement(
  { index: 'otel_traces_pkey' },
  `UPDATE traffic.otel_traces t SET record_count = u.count, bytes = u.bytes, last_arrival = $5,
     due_at = u.due, attempts = 0,
     first_arrival = CASE WHEN t.closed_at IS NOT NULL OR t.record_count = 0 THEN $5 ELSE t.first_arrival END,
     closed_at = NULL
   FROM unnest($2::text[], $3::int[], $4::bigint[], $6::bigint[]) u(id, count, bytes, due)
   WHERE t.company_id = $1 AND t.trace_id = u.id`,
);

export const COUNT_OPEN = readStatement(
  { index: 'otel_traces_due' },
  `SELECT x.* FROM s, LATERAL (SELECT count(*)::int AS traces, COALESCE(sum(t.bytes), 0)::float AS bytes
   FROM traffic.otel_traces t WHERE t.company_id = s.company AND t.closed_at IS NULL AND t.record_count > 0
   OFFSET 0) x`,
);

export const ANNOUNCE_TRACE = txStatement(
  { index: 'otel_traces_pkey' },
  `INSERT INTO traffic.otel_traces AS t (company_id, trace_id, is_test, caller_span_id, first_arrival, last_arrival)
   VALUES ($1, $2, true, $3, $4, $4)
   ON CONFLICT (company_id, trace_id) DO UPDATE SET is_test = true, caller_span_id = $3`,
);
