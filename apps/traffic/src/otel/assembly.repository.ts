import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { trafficJobs } from '../jobs.js';
import type { LoggedEvaluation, Span } from './otlp/span.js';
import { CLOSE_TRACE, COUNT_AS_REQUESTS, FIND_TRACE, MARK_RECORDED, RECORDS_OF_TRACE } from './assembly.sql.js';

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
      FIND_TRACE,
      [traceId],
    );
    if (!trace) return null;
    const records = await this.db.select<StoredRecord>(companyId, RECORDS_OF_TRACE, [traceId]);
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
      await tx.query(COUNT_AS_REQUESTS, [tx.companyId, traceId, spanIds]);
    });
  }

  /**
   * Closes a trace of which nothing has arrived since it was read; else it is due again. `recorded` are the spans whose
   * requests have been recorded.
   */
  async close(job: Job, traceId: string, lastArrival: number, recorded: readonly string[]): Promise<void> {
    await this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.requireFence(job);
      if (recorded.length > 0) await tx.query(MARK_RECORDED, [tx.companyId, traceId, recorded]);
      await tx.query(CLOSE_TRACE, [tx.companyId, traceId, lastArrival, Date.now()]);
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
