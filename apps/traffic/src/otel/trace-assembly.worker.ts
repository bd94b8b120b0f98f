import { Inject, Injectable } from '@nestjs/common';
import { BACKOFF_MS, JobHandler, type JobWith, TryLater } from '@signalbox/bus';
import { ApiError } from '@signalbox/contracts';
import { FenceLost, type Job, LOGGER, type Logger } from '@signalbox/platform';
import { trafficJobs } from '../jobs.js';
import { Assembly, type DueTrace } from './assembly.repository.js';
import { closesIn } from './closing.js';
import { treeOf } from './mapping/trace-tree.js';
import type { Span } from './otlp/span.js';
import { groupsOf } from './trace-groups.js';
import { TraceRecorder } from './trace-recorder.js';

/** Due traces per read, and groups of them that are assembled concurrently. */
const READ = 100;
const GROUPS = 2;
/** After this many rounds the next company has its turn. */
const ROUNDS = 10;
const UNAVAILABLE_RETRY_MS = 2000;
const SLOW_MS = 30_000;
const EXHAUSTED_MS = 60_000;

const isKind = (error: unknown, kind: ApiError['kind']): boolean => error instanceof ApiError && error.kind === kind;

/**
 * Records tasks of agents while their traces arrive, and requests once the traces are closed. One job of a company
 * works on all that are due.
 */
@Injectable()
export class TraceAssemblyWorker {
  constructor(
    private readonly assembly: Assembly,
    private readonly recorder: TraceRecorder,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @JobHandler(trafficJobs.assembleTraces, { concurrency: 8, onExhausted: 'rest' })
  async work(job: Job, _signal: AbortSignal, stopping: AbortSignal): Promise<void> {
    const { companyId } = job;
    // One of the traces may have ended the process of the former attempt.
    const isSuspected = job.attempt > 1;
    const rounds = isSuspected ? READ : ROUNDS;
    for (let round = 0; round < rounds && !stopping.aborted; round++) {
      const due = await this.assembly.due(companyId, Date.now(), READ);
      if (due.length === 0) return this.waitForNext(companyId);
      const groups = isSuspected ? due.slice(0, 1).map((trace) => [trace]) : groupsOf(due).slice(0, GROUPS);
      const ends = await Promise.allSettled(groups.map((group) => this.attempt(job, group, isSuspected)));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    }
    throw new TryLater(0);
  }

  /** The job itself failed, not one of its traces: they stay open and are retried later. */
  rest({ companyId }: Job): Promise<void> {
    return this.assembly.retryLater(companyId, EXHAUSTED_MS);
  }

  /** Added by processes of the previous release. */
  @JobHandler(trafficJobs.assembleTrace)
  workOne({ companyId, payload: { traceId } }: JobWith<{ traceId: string }>): Promise<void> {
    return this.assembly.makeDue(companyId, traceId);
  }

  private async waitForNext(companyId: number): Promise<void> {
    const next = await this.assembly.nextDue(companyId);
    if (next !== null) throw new TryLater(Math.max(0, next - Date.now()));
  }

  /** Counts the attempt of a suspected trace, or of one that has failed before, first: it may end the process. */
  private async attempt(job: Job, traces: readonly DueTrace[], isSuspected: boolean): Promise<void> {
    const [trace] = traces;
    if (!trace || traces.length > 1 || !(isSuspected || trace.attempts > 0)) return this.assemble(job, traces);
    if (trace.attempts > BACKOFF_MS.length) return this.giveUp(job, trace);
    await this.assembly.reschedule(job, [{ trace, attempts: trace.attempts + 1, dueAt: Date.now() + SLOW_MS }]);
    await this.assemble(job, traces);
  }

  /** Every attempt has ended its process, the last one as well, which would have closed it. */
  private async giveUp(job: Job, trace: DueTrace): Promise<void> {
    const { trace_id, attempts } = trace;
    const log = { company_id: job.companyId, trace_id, attempts };
    this.logger.error(log, 'a trace whose attempts have ended their processes is closed; its spans are kept');
    await this.assembly.reschedule(job, [{ trace, attempts, dueAt: null }]);
  }

  /** Falls back to each trace alone when the group fails, so that one failing trace does not delay others. */
  private async assemble(job: Job, traces: readonly DueTrace[]): Promise<void> {
    try {
      await this.assembleAll(job, traces);
    } catch (error) {
      if (error instanceof FenceLost) throw error;
      if (isKind(error, 'unavailable')) throw new TryLater(UNAVAILABLE_RETRY_MS);
      const [first] = traces;
      if (first && traces.length === 1) await this.failed(job, first, error);
      else if (isKind(error, 'timeout')) await this.reschedule(job, traces, SLOW_MS);
      else for (const trace of traces) await this.assemble(job, [trace]);
    }
  }

  private async assembleAll(job: Job, traces: readonly DueTrace[]): Promise<void> {
    const stored = await this.assembly.load(job.companyId, traces);
    const now = Date.now();
    const known = stored.map((trace) => {
      const tree = treeOf(trace.spans, trace.caller_span_id);
      const closesInMs = closesIn({ ...trace, hasRoot: tree.hasRoot }, now);
      return { stored: trace, tree, closesInMs, isClosed: closesInMs === 0, hasTimelines: true };
    });
    // Until the root has arrived it is not known which agent called which.
    const recorded = await this.recorder.record(
      job,
      known.filter(({ tree, isClosed }) => tree.hasRoot || isClosed),
    );
    const ends = known.map(({ stored: trace, closesInMs, isClosed }) => {
      return { trace, attempts: 0, dueAt: isClosed ? null : now + closesInMs };
    });
    await this.assembly.reschedule(job, ends, recorded);
  }

  /** The agents service took longer than a call may: other traces go first, and each of these is retried alone. */
  private reschedule(job: Job, traces: readonly DueTrace[], ms: number): Promise<void> {
    const dueAt = Date.now() + ms;
    return this.assembly.reschedule(
      job,
      traces.map((trace) => ({ trace, attempts: trace.attempts + 1, dueAt })),
    );
  }

  /** A trace that fails after the last retry is closed, or it would count as open for ever; its spans are kept. */
  private async failed(job: Job, trace: DueTrace, error: unknown): Promise<void> {
    const { trace_id, attempts } = trace;
    const pause = BACKOFF_MS[attempts];
    const log = { error, company_id: job.companyId, trace_id, attempt: attempts + 1 };
    if (pause !== undefined) {
      this.logger.warn(log, 'a trace could not be put together');
      const dueAt = Date.now() + (isKind(error, 'timeout') ? SLOW_MS : pause);
      return this.assembly.reschedule(job, [{ trace, attempts: attempts + 1, dueAt }]);
    }
    this.logger.error(log, 'a trace failed its last attempt and is closed; its spans are kept');
    const recorded = await this.recordWithoutTimelines(job, trace);
    await this.assembly.reschedule(job, [{ trace, attempts: attempts + 1, dueAt: null }], recorded);
  }

  /** Ends the tasks of a trace that could not be recorded whole; returns the spans to record as requests. */
  private async recordWithoutTimelines(job: Job, trace: DueTrace): Promise<Span[]> {
    try {
      const stored = await this.assembly.load(job.companyId, [trace]);
      const known = stored.map((each) => {
        const tree = treeOf(each.spans, each.caller_span_id);
        return { stored: each, tree, isClosed: true, hasTimelines: false };
      });
      return await this.recorder.record(job, known);
    } catch (error) {
      if (error instanceof FenceLost) throw error;
      if (isKind(error, 'unavailable')) throw new TryLater(UNAVAILABLE_RETRY_MS);
      const log = { error, company_id: job.companyId, trace_id: trace.trace_id };
      this.logger.error(log, 'the tasks of a trace could not be ended');
      return [];
    }
  }
}
