import { companiesWith, txStatement, workerStatement } from '@signalbox/database';

export const TRACES = 50;

export const ROWS = 1000;

export const COMPANIES_WITH_TRACES = workerStatement(
  { index: 'otel_traces_kept' },
  companiesWith('traffic.otel_traces', 'true'),
);

export const PRUNE_TRACES = txStatement(
  { index: ['otel_traces_kept', 'otel_traces_pkey'] },
  `UPDATE traffic.otel_traces SET pruned_at = $3 WHERE company_id = $1 AND trace_id = ANY (ARRAY(
   SELECT trace_id FROM traffic.otel_traces
   WHERE company_id = $1 AND pruned_at IS NULL AND last_arrival < $2 AND (closed_at IS NOT NULL OR record_count = 0)
   ORDER BY last_arrival LIMIT ${TRACES} FOR UPDATE SKIP LOCKED)) RETURNING trace_id`,
);

export const DELETE_RECORDS = txStatement(
  { index: 'otel_records_pkey' },
  'DELETE FROM traffic.otel_records WHERE company_id = $1 AND trace_id = ANY ($2::text[])',
);

export const FORGET_TRACES = txStatement(
  { index: ['otel_traces_kept', 'otel_traces_pkey'] },
  `DELETE FROM traffic.otel_traces WHERE company_id = $1 AND trace_id = ANY (ARRAY(
   SELECT trace_id FROM traffic.otel_traces WHERE company_id = $1 AND pruned_at < $2
   ORDER BY pruned_at LIMIT ${ROWS} FOR UPDATE SKIP LOCKED)) RETURNING 1`,
);
