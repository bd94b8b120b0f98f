import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { trafficJobs } from '../jobs.js';
import type { LoggedEvaluation, Span } from './otlp/span.js';
import {
  COUNT_AS_REQUESTS,
  DUE_TRACES,
  MAKE_DUE,
  MARK_RECORDED,
  NEXT_DUE,
  PUT_OFF_TRACES,
  RECORDS_OF_TRACES,
} from './assembly.sql.js';

export interface DueTrace {
  trace_id: string;
  is_test: boolean;
  caller_span_id: string | null;
  record_count: number;
  bytes: number;
  first_arrival: number;
  last_arrival: number;
  attempts: number;
}

export interface StoredTrace extends DueTrace {
  spans: Span[];
  /** The spans that are recorded as requests. */
  counted: Set<string>;
  /** Those of them whose requests have been recorded, and may have been deleted since. */
  recorded: Set<string>;
  evaluations: LoggedEvaluation[];
}

export interface TraceSchedule {
  trace: DueTrace;
  dueAt: number | null;
  attempts: number;
}

type SpanId = Pick<Span, 'trace_id' | 'span_id'>;

interface StoredRecord {
  trace_id: string;
  record_id: string;
  signal: 'span' | 'log';
  is_request: boolean;
  is_recorded: boolean;
  content: unknown;
}

/** SQL: a trace of which something has arrived since it was read is neither closed nor rescheduled. */
@Injectable()
export class Assembly {
  constructor(private readonly db: Database) {}

  due(companyId: number, at: number, limit: number): Promise<DueTrace[]> {
    return this.db.select<DueTrace>(companyId, DUE_TRACES, [at, limit]);
  }

  async nextDue(companyId: number): Promise<number | null> {
    const [next] = await this.db.select<{ due_at: number }>(companyId, NEXT_DUE);
    return next?.due_at ?? null;
  }

  async load(companyId: number, traces: readonly DueTrace[]): Promise<StoredTrace[]> {
    const ids = traces.map(({ trace_id }) => trace_id);
    const records = await this.db.select<StoredRecord>(companyId, RECORDS_OF_TRACES, [ids]);
    const byTrace = new Map<string, StoredRecord[]>(ids.map((id) => [id, []]));
    for (const record of records) byTrace.get(record.trace_id)?.push(record);
    return traces.map((trace) => ({ ...trace, ...partsOf(byTrace.get(trace.trace_id) ?? []) }));
  }

  /** Before the requests are recorded, so that a restart does not decide otherwise. */
  async count(job: Job, spans: readonly SpanId[]): Promise<void> {
    if (spans.length === 0) return;
    await this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.requireFence(job);
      await tx.query(COUNT_AS_REQUESTS, [tx.companyId, ...idsOf(spans)]);
    });
  }

  /** Closes traces or puts them off. `recorded` are the spans whose requests have been recorded. */
  async reschedule(job: Job, traces: readonly TraceSchedule[], recorded: readonly SpanId[] = []): Promise<void> {
    await this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.requireFence(job);
      if (recorded.length > 0) await tx.query(MARK_RECORDED, [tx.companyId, ...idsOf(recorded)]);
      await tx.query(PUT_OFF_TRACES, [
        tx.companyId,
        traces.map(({ trace }) => trace.trace_id),
        traces.map(({ trace }) => trace.record_count),
        traces.map(({ dueAt }) => dueAt ?? 0),
        traces.map(({ attempts }) => attempts),
        traces.map(({ dueAt }) => dueAt === null),
        Date.now(),
      ]);
      await tx.progressed(job);
    });
  }

  async retryLater(companyId: number, delayMs: number): Promise<void> {
    await this.db.withCompany({ companyId }, (tx) => {
      tx.addJob(trafficJobs.assembleTraces, {}, delayMs);
      return Promise.resolve();
    });
  }

  async makeDue(companyId: number, traceId: string): Promise<void> {
    await this.db.withCompany({ companyId }, async (tx) => {
      await tx.query(MAKE_DUE, [tx.companyId, traceId]);
      tx.addJob(trafficJobs.assembleTraces, {});
    });
  }
}

function partsOf(records: readonly StoredRecord[]): Omit<StoredTrace, keyof DueTrace> {
  const spans = records.filter(({ signal }) => signal === 'span');
  return {
    spans: spans.map(({ content }) => content as Span),
    counted: new Set(spans.filter(({ is_request }) => is_request).map(({ record_id }) => record_id)),
    recorded: new Set(spans.filter(({ is_recorded }) => is_recorded).map(({ record_id }) => record_id)),
    evaluations: records.filter(({ signal }) => signal === 'log').map(({ content }) => content as LoggedEvaluation),
  };
}

const idsOf = (spans: readonly SpanId[]): [string[], string[]] => [
  spans.map(({ trace_id }) => trace_id),
  spans.map(({ span_id }) => span_id),
];
