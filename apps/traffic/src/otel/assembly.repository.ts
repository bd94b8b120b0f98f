import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { trafficJobs } from '../jobs.js';
import type { LoggedEvaluation, Span } from './otlp/span.js';

/** A trace with all that has arrived of it. */
export interface StoredTrace {
  is_test: boolean;
  caller_span_id: string | null;
  first_arrival: number;
  last_arrival: number;
  closed_at: number | null;
  spans: Span[];
  /** The spans that are recorded as requests. */
  counted: Set<string>;
  /** Those of them whose requests have been recorded, and may have been deleted since. */
  recorded: Set<string>;
  evaluations: LoggedEvaluation[];
}

interface StoredRecord {
  record_id: string;
  signal: 'span' | 'log';
  is_request: boolean;
  is_recorded: boolean;
  content: unknown;
}

/**
 * Traces as they are put together.
 *
 * SQL: a trace is closed unless something has arrived since it was read.
 */
@Injectable()
export class Assembly {
  constructor(private readonly db: Database) {}

  /** Null when nothing of the trace is stored. */
  async load(companyId: number, traceId: string): Promise<StoredTrace | null> {
    const [trace] = await this.db.select<Omit<StoredTrace, 'spans' | 'counted' | 'recorded' | 'evaluations'>>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.is_test, t.caller_span_id, t.first_arrival, t.last_arrival, t.closed_at
         FROM traffic.otel_traces t WHERE t.company_id = s.company AND t.trace_id = $2 AND t.record_count > 0
           AND t.pruned_at IS NULL OFFSET 0) x`,
      [traceId],
    );
    if (!trace) return null;
    const records = await this.db.select<StoredRecord>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.record_id, t.signal, t.is_request, t.is_recorded, t.content
         FROM traffic.otel_records t WHERE t.company_id = s.company AND t.trace_id = $2 ORDER BY t.record_id OFFSET 0) x`,
      [traceId],
    );
    const spans = records.filter(({ signal }) => signal === 'span');
    return {
      ...trace,
      spans: spans.map(({ content }) => content as Span),
      counted: new Set(spans.filter(({ is_request }) => is_request).map(({ record_id }) => record_id)),
      recorded: new Set(spans.filter(({ is_recorded }) => is_recorded).map(({ record_id }) => record_id)),
      evaluations: records.filter(({ signal }) => signal === 'log').map(({ content }) => content as LoggedEvaluation),
    };
  }

  /** Decides which spans are recorded as requests, before they are: what is decided stays so over a restart. */
  async count(job: Job, traceId: string, spanIds: readonly string[]): Promise<void> {
    if (spanIds.length === 0) return;
    await this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.requireFence(job);
      await tx.query(
        `UPDATE traffic.otel_records SET is_request = true
         WHERE company_id = $1 AND trace_id = $2 AND record_id = ANY ($3::text[]) AND NOT is_request`,
        [tx.companyId, traceId, spanIds],
      );
    });
  }

  /**
   * Closes a trace of which nothing has arrived since it was read; else it is due again. `recorded` are the spans whose
   * requests have been recorded.
   */
  async close(job: Job, traceId: string, lastArrival: number, recorded: readonly string[]): Promise<void> {
    await this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.requireFence(job);
      if (recorded.length > 0)
        await tx.query(
          `UPDATE traffic.otel_records SET is_recorded = true
           WHERE company_id = $1 AND trace_id = $2 AND record_id = ANY ($3::text[]) AND NOT is_recorded`,
          [tx.companyId, traceId, recorded],
        );
      await tx.query(
        `UPDATE traffic.otel_traces SET closed_at = $4
         WHERE company_id = $1 AND trace_id = $2 AND last_arrival = $3 AND closed_at IS NULL`,
        [tx.companyId, traceId, lastArrival, Date.now()],
      );
    });
  }

  /** Makes a trace due again. */
  async lookAgain(job: Job, traceId: string, delayMs: number): Promise<void> {
    await this.db.withCompany({ companyId: job.companyId }, (tx) => {
      tx.addJob(trafficJobs.assembleTrace, { traceId }, delayMs);
      return Promise.resolve();
    });
  }
}
