import { Injectable } from '@nestjs/common';
import { BusClient, serviceCaller } from '@signalbox/bus';
import {
  ApiError,
  type Application,
  type ExternalTrace,
  externalTasks,
  type StoredExternalTask,
  type Usage,
} from '@signalbox/contracts';
import type { Job } from '@signalbox/platform';
import { type RequestRecord, RequestWriter } from '../request-records/index.js';
import { Assembly, type StoredTrace } from './assembly.repository.js';
import type { Span } from './otlp/span.js';
import { RequestOwners } from './request-owners.repository.js';
import { requestOf } from './mapping/trace-records.js';
import { countedCalls } from './mapping/trace-requests.js';
import { applicationOf, type MappedTasks, tasksOf } from './mapping/trace-tasks.js';
import type { SpanNode, TraceTree } from './mapping/trace-tree.js';
import { callsOf } from './trace-calls.js';
import { TraceApplications } from './trace-applications.js';
import { TraceCosts } from './trace-costs.js';

const BATCH = 100;
const CALL_MS = 30_000;

export interface KnownTrace {
  stored: StoredTrace;
  tree: TraceTree;
  isClosed: boolean;
  /** False when the tasks are recorded without their timelines. */
  hasTimelines: boolean;
}

interface MappedTrace extends KnownTrace {
  application: Application;
  calls: ReadonlyMap<SpanNode, Usage>;
  mapped: MappedTasks;
}

interface RecordedCall {
  record: RequestRecord;
  isRecorded: boolean;
}

/**
 * Records traces as tasks of agents, and closed ones as requests too. Every part is an upsert under ids derived from
 * the trace, so a repeat changes nothing.
 */
@Injectable()
export class TraceRecorder {
  constructor(
    private readonly assembly: Assembly,
    private readonly applications: TraceApplications,
    private readonly costs: TraceCosts,
    private readonly writer: RequestWriter,
    private readonly owners: RequestOwners,
    private readonly bus: BusClient,
  ) {}

  /** Records all of the traces or fails; resolves to the spans that are recorded as requests. */
  async record(job: Job, known: readonly KnownTrace[]): Promise<Span[]> {
    if (known.length === 0) return [];
    const traces = await this.map(job.companyId, known);
    const tasks = await this.store(job.companyId, traces.map(traceOf));
    const closed = traces.filter(({ isClosed }) => isClosed);
    const spans = closed.flatMap(({ calls }) => [...calls.keys()].map(({ span }) => span));
    await this.assembly.count(job, spans);
    const agentIds = new Map(tasks.map(({ id, agent_id }) => [id, agent_id]));
    const calls = closed.flatMap((trace) => recordedCalls(job.companyId, trace, agentIds));
    for (let at = 0; at < calls.length; at += BATCH) await this.write(job.companyId, calls.slice(at, at + BATCH));
    return spans;
  }

  /** A request that is recorded already is not recorded again, as it may have been deleted since, but may move. */
  private async write(companyId: number, calls: readonly RecordedCall[]): Promise<void> {
    const fresh = calls.filter(({ isRecorded }) => !isRecorded).map(({ record }) => record);
    const inserted = fresh.length > 0 ? await this.writer.insertOnce(callerOf(companyId), fresh) : [];
    const known = [
      ...calls.filter(({ isRecorded }) => isRecorded).map(({ record }) => record),
      ...fresh.filter((_, at) => !inserted[at]),
    ];
    if (known.length > 0) await this.owners.move(companyId, known);
  }

  private async map(companyId: number, known: readonly KnownTrace[]): Promise<MappedTrace[]> {
    const counted = known.map(({ tree, stored }) => countedCalls(tree, stored.counted));
    const usages = new Map(await this.costs.usagesOf(companyId, counted.flat()));
    const applications = new Map<string, Application>();
    const traces: MappedTrace[] = [];
    for (const [at, trace] of known.entries()) {
      const root = trace.tree.roots[0];
      if (!root) continue;
      const name = applicationOf(root.span);
      const application = applications.get(name) ?? (await this.applications.named(companyId, name));
      applications.set(name, application);
      const calls = new Map((counted[at] ?? []).map((node) => [node, usages.get(node) as Usage]));
      const { trace_id: traceId, evaluations } = trace.stored;
      const mapped = tasksOf({ companyId, traceId, tree: trace.tree, evaluations, calls });
      traces.push({ ...trace, application, calls, mapped });
    }
    return traces;
  }

  private async store(companyId: number, traces: ExternalTrace[]): Promise<StoredExternalTask[]> {
    const tasks: StoredExternalTask[] = [];
    for (const together of callsOf(traces)) tasks.push(...(await this.storeTogether(companyId, together)));
    return tasks;
  }

  private async storeTogether(companyId: number, traces: ExternalTrace[]): Promise<StoredExternalTask[]> {
    const { recordTrace, recordTraces } = externalTasks.endpoints;
    try {
      return (await this.bus.call(recordTraces, { traces }, callerOf(companyId))).tasks;
    } catch (error) {
      // An agents process of the previous release does not have the endpoint.
      if (!(error instanceof ApiError) || error.kind !== 'not_found') throw error;
    }
    const tasks = [];
    for (const trace of traces) tasks.push(...(await this.bus.call(recordTrace, trace, callerOf(companyId))).tasks);
    return tasks;
  }
}

const callerOf = (companyId: number) => serviceCaller(companyId, Date.now() + CALL_MS);

function traceOf({ application, isClosed, hasTimelines, stored, mapped }: MappedTrace): ExternalTrace {
  const { id, application_name, date_updated } = application;
  const named = { id, application_name, date_updated };
  const tasks = hasTimelines ? mapped.tasks : mapped.tasks.map((task) => ({ ...task, timeline: [] }));
  return { application: named, is_closed: isClosed, is_test: stored.is_test, tasks };
}

function recordedCalls(
  companyId: number,
  { application, calls, mapped, stored }: MappedTrace,
  agentIds: ReadonlyMap<string, number>,
): RecordedCall[] {
  return [...calls].flatMap(([node, usage]) => {
    const task = mapped.taskOf(node);
    if (!task) return [];
    const agentId = agentIds.get(task.id) ?? null;
    const owner = { companyId, applicationId: application.id, agentId, task, isTest: stored.is_test };
    return [{ record: requestOf(node.span, usage, owner), isRecorded: stored.recorded.has(node.span.span_id) }];
  });
}
