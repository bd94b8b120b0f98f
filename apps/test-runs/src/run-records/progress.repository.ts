import { Injectable } from '@nestjs/common';
import type { RunProgress } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { StreamSubscribers } from '@signalbox/runs';
import { type LockedTestRun, SCORING, TestRuns } from './test-run-kind.js';

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

/**
 * How far runs are: counts and percentiles, and as events for stream subscribers.
 *
 * SQL: items are counted, and their durations summed up, in Postgres.
 */
@Injectable()
export class RunProgressEvents {
  constructor(
    private readonly db: Database,
    private readonly runs: TestRuns,
    private readonly subscribers: StreamSubscribers,
  ) {}

  async of(companyId: number, runId: string): Promise<RunProgress> {
    const [row] = await this.db.select<{ body: string }>(companyId, `SELECT x.* FROM s, LATERAL (${PROGRESS}) x`, [
      runId,
    ]);
    return JSON.parse(row?.body ?? 'null') as RunProgress;
  }

  /** Appends the progress of a running run to its stream when it has a subscriber. */
  async emit(job: Job, run: LockedTestRun): Promise<void> {
    const event = await this.eventOf(job, run);
    if (event) await this.runs.writes.append(job, run.id, event);
  }

  /** The same for a completed run that is being scored. */
  async emitEnded(job: Job, run: LockedTestRun): Promise<void> {
    const event = await this.eventOf(job, run);
    if (event) await this.runs.writes.fenced(job, run.id, () => Promise.resolve([event]), { evenEnded: true });
  }

  private async eventOf({ companyId }: Job, { id, no }: LockedTestRun) {
    if (!this.subscribers.hasSubscriber(id)) return null;
    return { event: { type: 'run.progress', data: { run_id: no, progress: await this.of(companyId, id) } } };
  }
}
