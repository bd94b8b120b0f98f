import { readStatement } from '@signalbox/database';
import { SCORING } from './test-run-kind.sql.js';

const PROGRESS = `SELECT json_build_object(
    'status', t.status, 'total', c.total,
    'pending', c.pending + c.running - o.running, 'running', o.running, 'completed', c.completed, 'failed', c.failed,
    'failed_by_class', COALESCE(f.classes, '{}'::json),
    'percent_complete', CASE WHEN c.total > 0 THEN round(100.0 * (c.completed + c.failed) / c.total, 2)
      WHEN t.status = 'COMPLETED' THEN 100 ELSE 0 END,
    'scoring', ${SCORING},
    'duration_ms', json_build_object('min', d.min, 'avg', d.avg, 'p50', d.p[1], 'p90', d.p[2], 'p95', d.p[3], 'p99', d.p[4], 'max', d.max)
  )::text AS body
  FROM "test-runs".runs t
  CROSS JOIN LATERAL (SELECT count(*)::int AS total, count(*) FILTER (WHERE status = 'PENDING')::int AS pending,
    count(*) FILTER (WHERE status = 'RUNNING')::int AS running, count(*) FILTER (WHERE status = 'COMPLETED')::int AS completed,
    count(*) FILTER (WHERE status = 'FAILED')::int AS failed
    FROM "test-runs".run_items i WHERE i.company_id = t.company_id AND i.run_id = t.id) c
  -- An item that waits for the call before it counts as pending.
  CROSS JOIN LATERAL (SELECT LEAST(c.running, t.concurrency) AS running) o
  CROSS JOIN LATERAL (SELECT json_object_agg(failure_class, n) AS classes FROM (SELECT failure_class, count(*)::int AS n
    FROM "test-runs".run_items i WHERE i.company_id = t.company_id AND i.run_id = t.id AND i.status = 'FAILED'
    GROUP BY failure_class) g) f
  CROSS JOIN LATERAL (SELECT min(a.duration_ms), round(avg(a.duration_ms), 2) AS avg, max(a.duration_ms),
    percentile_cont(ARRAY[0.5, 0.9, 0.95, 0.99]) WITHIN GROUP (ORDER BY a.duration_ms) AS p
    FROM "test-runs".run_attempts a WHERE a.company_id = t.company_id AND a.run_id = t.id AND a.is_current) d
  WHERE t.company_id = s.company AND t.id = $2 OFFSET 0`;

export const PROGRESS_OF_RUN = readStatement(
  { index: ['run_attempts_of_run', 'run_items_status', 'runs_pkey', 'scorings_of_run'] },
  `SELECT x.* FROM s, LATERAL (${PROGRESS}) x`,
);
