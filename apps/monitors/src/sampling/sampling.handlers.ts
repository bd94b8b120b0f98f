import { Injectable } from '@nestjs/common';
import { type Consumed, ConsumesBatches, type MessageFilter, Prepares, Selects } from '@signalbox/bus';
import {
  type EventEnvelope,
  monitorConsumers,
  type RequestRecord,
  type SourceType,
  type TargetType,
  type TaskRecord,
  type WorkflowRunRecord,
} from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import { DirectJudgements } from './direct-judgements.js';
import type { NewRun, Source } from './new-runs.js';
import { Samples } from './samples.repository.js';
import { sourceOfRequest, sourceOfRun, sourceOfTask } from './source.js';

/** Runs by their source, with the judgements that were possible before the transaction. */
type Prepared = Map<string, NewRun[]>;

type SourceOf<T> = (data: T) => Omit<Source, 'occurredAt'> | null;

/**
 * Sources wait so long for others, because a batch costs nearly as much as one of them. A source that is delivered again
 * is recognized by the unique key of its runs.
 */
const GATHERED = { gatherMs: 250, recorded: false };

/** Samples what happens in production, out of the path of its callers. */
@Injectable()
export class Sampling {
  constructor(
    private readonly samples: Samples,
    private readonly direct: DirectJudgements,
  ) {}

  @Selects(monitorConsumers.requestCompleted)
  selectRequests(companyIds: readonly number[]): Promise<MessageFilter> {
    return this.watching('intent', companyIds);
  }

  @Selects(monitorConsumers.taskCompleted)
  selectTasks(companyIds: readonly number[]): Promise<MessageFilter> {
    return this.watching('agent', companyIds);
  }

  @Selects(monitorConsumers.workflowRunCompleted)
  selectRuns(companyIds: readonly number[]): Promise<MessageFilter> {
    return this.watching('workflow', companyIds);
  }

  @Prepares(monitorConsumers.requestCompleted)
  judgeRequests(events: Consumed<EventEnvelope<RequestRecord>>[]): Promise<Prepared> {
    return this.prepare('intent', 'request', events, sourceOfRequest);
  }

  @Prepares(monitorConsumers.taskCompleted)
  judgeTasks(events: Consumed<EventEnvelope<TaskRecord>>[]): Promise<Prepared> {
    return this.prepare('agent', 'agent_task', events, sourceOfTask);
  }

  @Prepares(monitorConsumers.workflowRunCompleted)
  judgeRuns(events: Consumed<EventEnvelope<WorkflowRunRecord>>[]): Promise<Prepared> {
    return this.prepare('workflow', 'workflow_run', events, sourceOfRun);
  }

  @ConsumesBatches(monitorConsumers.requestCompleted, GATHERED)
  async sampleRequests(events: Consumed<EventEnvelope<RequestRecord>>[], tx: Tx, prepared?: Prepared): Promise<void> {
    await this.sample(tx, 'intent', 'request', { sources: sourcesOf(events, sourceOfRequest), prepared });
  }

  @ConsumesBatches(monitorConsumers.taskCompleted, GATHERED)
  async sampleTasks(events: Consumed<EventEnvelope<TaskRecord>>[], tx: Tx, prepared?: Prepared): Promise<void> {
    await this.sample(tx, 'agent', 'agent_task', { sources: sourcesOf(events, sourceOfTask), prepared });
  }

  @ConsumesBatches(monitorConsumers.workflowRunCompleted, GATHERED)
  async sampleRuns(events: Consumed<EventEnvelope<WorkflowRunRecord>>[], tx: Tx, prepared?: Prepared): Promise<void> {
    await this.sample(tx, 'workflow', 'workflow_run', { sources: sourcesOf(events, sourceOfRun), prepared });
  }

  /** Rolls the sources, and judges those of the runs that need no model. */
  private async prepare<T>(
    targetType: TargetType,
    type: SourceType,
    events: readonly Consumed<EventEnvelope<T>>[],
    sourceOf: SourceOf<T>,
  ): Promise<Prepared> {
    const companyId = events[0]?.about.companyId ?? 0;
    const runs = await this.samples.rollFor(companyId, targetType, type, sourcesOf(events, sourceOf));
    await this.direct.add(companyId, type, runs);
    const bySource: Prepared = new Map();
    for (const run of runs) bySource.set(run.sourceId, [...(bySource.get(run.sourceId) ?? []), run]);
    return bySource;
  }

  private async sample(
    tx: Tx,
    targetType: TargetType,
    type: SourceType,
    { sources, prepared }: { sources: readonly Source[]; prepared: Prepared | undefined },
  ): Promise<void> {
    const runs = prepared
      ? sources.flatMap(({ sourceId }) => prepared.get(sourceId) ?? [])
      : await this.samples.roll(tx, targetType, type, sources);
    await this.samples.add(tx, type, runs);
  }

  private async watching(targetType: TargetType, companyIds: readonly number[]): Promise<MessageFilter> {
    const watching = await this.samples.watchingCompanies(targetType, companyIds);
    return (companyId) => watching.has(companyId);
  }
}

const sourcesOf = <T>(events: readonly Consumed<EventEnvelope<T>>[], sourceOf: SourceOf<T>): Source[] =>
  events.flatMap(({ payload: { data, occurred_at } }) => {
    const source = sourceOf(data);
    return source ? [{ ...source, occurredAt: occurred_at }] : [];
  });
