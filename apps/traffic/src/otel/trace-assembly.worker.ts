import { Injectable } from '@nestjs/common';
import { BusClient, JobHandler, type JobWith, serviceCaller, TryLater } from '@signalbox/bus';
import { ApiError, type Application, type ExternalTask, externalTasks, type Usage } from '@signalbox/contracts';
import type { Job } from '@signalbox/platform';
import { trafficJobs } from '../jobs.js';
import { RequestWriter } from '../request-records/index.js';
import { Assembly, type StoredTrace } from './assembly.repository.js';
import { closesIn } from './closing.js';
import { requestOf } from './mapping/trace-records.js';
import { countedCalls } from './mapping/trace-requests.js';
import { applicationOf, type AssembledTrace, type MappedTasks, tasksOf } from './mapping/trace-tasks.js';
import { type SpanNode, treeOf } from './mapping/trace-tree.js';
import { TraceApplications } from './trace-applications.js';
import { TraceCosts } from './trace-costs.js';

/** Requests that one transaction records. */
const BATCH = 100;
const CALL_MS = 30_000;
const AWAY_MS = 2000;

type TraceJob = JobWith<{ traceId: string }>;

/**
 * Puts traces together: tasks of agents while they arrive, and requests once they are closed. Every part is an upsert
 * under ids made of the trace, so that a job that is repeated changes nothing.
 */
@Injectable()
export class TraceAssemblyWorker {
  constructor(
    private readonly assembly: Assembly,
    private readonly applications: TraceApplications,
    private readonly costs: TraceCosts,
    private readonly writer: RequestWriter,
    private readonly bus: BusClient,
  ) {}

  @JobHandler(trafficJobs.assembleTrace, { concurrency: 8, onExhausted: 'giveUp' })
  async work(job: TraceJob): Promise<void> {
    try {
      await this.assemble(job);
    } catch (error) {
      if (error instanceof ApiError && (error.kind === 'unavailable' || error.kind === 'timeout'))
        throw new TryLater(AWAY_MS);
      throw error;
    }
  }

  /** A trace that cannot be put together is closed, so that it does not count as open for ever; its spans are kept. */
  async giveUp(job: TraceJob): Promise<void> {
    const stored = await this.assembly.load(job.companyId, job.payload.traceId);
    if (stored) await this.assembly.close(job, job.payload.traceId, stored.last_arrival, []);
  }

  private async assemble(job: TraceJob): Promise<void> {
    const { companyId } = job;
    const { traceId } = job.payload;
    const stored = await this.assembly.load(companyId, traceId);
    if (!stored || stored.closed_at !== null) return;
    const tree = treeOf(stored.spans, stored.caller_span_id);
    const closesInMs = closesIn({ ...stored, hasRoot: tree.hasRoot }, Date.now());
    const isClosed = closesInMs === 0;
    // Until the root is there it is not known which agents are called by which.
    const recorded = tree.hasRoot || isClosed ? await this.record(job, stored, { traceId, tree, isClosed }) : [];
    if (isClosed) await this.assembly.close(job, traceId, stored.last_arrival, recorded);
    else await this.assembly.lookAgain(job, traceId, closesInMs);
  }

  /** Resolves to the spans that are recorded as requests. */
  private async record(
    job: Job,
    stored: StoredTrace,
    { traceId, tree, isClosed }: { traceId: string; tree: AssembledTrace['tree']; isClosed: boolean },
  ): Promise<string[]> {
    const { companyId } = job;
    const root = tree.roots[0];
    if (!root) return [];
    const counted = countedCalls(tree, stored.counted);
    const calls = new Map<SpanNode, Usage>(await this.costs.usagesOf(companyId, counted));
    const { evaluations, is_test } = stored;
    const mapped = tasksOf({ companyId, traceId, tree, evaluations, calls });
    const application = await this.applications.named(companyId, applicationOf(root.span));
    const { id, application_name, date_updated } = application;
    const trace = {
      application: { id, application_name, date_updated },
      is_closed: isClosed,
      is_test,
      tasks: mapped.tasks,
    };
    const caller = serviceCaller(companyId, Date.now() + CALL_MS);
    const { tasks } = await this.bus.call(externalTasks.endpoints.recordTrace, trace, caller);
    if (!isClosed) return [];
    const spanIds = counted.map(({ span }) => span.span_id);
    await this.assembly.count(job, traceId, spanIds);
    const unrecorded = new Map([...calls].filter(([{ span }]) => !stored.recorded.has(span.span_id)));
    await this.recordRequests(job, { application, calls: unrecorded, mapped, is_test, agentIds: agentIdsOf(tasks) });
    return spanIds;
  }

  private async recordRequests(
    { companyId }: Job,
    {
      application,
      calls,
      mapped,
      is_test: isTest,
      agentIds,
    }: {
      application: Application;
      calls: ReadonlyMap<SpanNode, Usage>;
      mapped: MappedTasks;
      is_test: boolean;
      agentIds: ReadonlyMap<string, number>;
    },
  ): Promise<void> {
    const records = [...calls].flatMap(([node, usage]) => {
      const task: ExternalTask | undefined = mapped.taskOf(node);
      if (!task) return [];
      const agentId = agentIds.get(task.id) ?? null;
      return [requestOf(node.span, usage, { companyId, applicationId: application.id, agentId, task, isTest })];
    });
    for (let at = 0; at < records.length; at += BATCH)
      await this.writer.insertOnce(serviceCaller(companyId, Date.now() + CALL_MS), records.slice(at, at + BATCH));
  }
}

const agentIdsOf = (tasks: readonly { id: string; agent_id: number }[]): Map<string, number> =>
  new Map(tasks.map(({ id, agent_id }) => [id, agent_id]));
