import { Injectable } from '@nestjs/common';
import { type Consumed, Consumer, type MessageFilter } from '@signalbox/bus';
import { type EventEnvelope, monitorConsumers, type SourceType, type TargetType } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import { DirectJudgements } from './direct-judgements.js';
import type { NewRun, Source } from './new-runs.js';
import { MonitorSampler } from './samples.repository.js';
import {
  type CompletedRequest,
  type CompletedRun,
  type CompletedTask,
  sourceOfRequest,
  sourceOfRun,
  sourceOfTask,
} from './source.js';

/** Runs of a batch of events, with the outcomes that were possible before its transaction. */
type Prepared = readonly NewRun[];
type Completed<T> = readonly Consumed<EventEnvelope<T>>[];

/** `sourceOf` returns null for an event that is not production traffic. */
interface SourceKind<T> {
  target: TargetType;
  type: SourceType;
  sourceOf: (data: T) => Omit<Source, 'occurredAt'> | null;
}

const REQUESTS: SourceKind<CompletedRequest> = { target: 'intent', type: 'request', sourceOf: sourceOfRequest };
const TASKS: SourceKind<CompletedTask> = { target: 'agent', type: 'agent_task', sourceOf: sourceOfTask };
const RUNS: SourceKind<CompletedRun> = { target: 'workflow', type: 'workflow_run', sourceOf: sourceOfRun };

/**
 * Events wait for others, because a batch costs nearly as much as a single one. The unique key of runs detects events
 * that are delivered again.
 */
const BATCHED = { batch: true, batchWindowMs: 250, deduplicate: false } as const;

/** Samples production traffic without delaying its callers. */
@Injectable()
export class Sampling {
  constructor(
    private readonly sampler: MonitorSampler,
    private readonly direct: DirectJudgements,
  ) {}

  selectRequests(companyIds: readonly number[]): Promise<MessageFilter> {
    return this.watching(REQUESTS.target, companyIds);
  }

  selectTasks(companyIds: readonly number[]): Promise<MessageFilter> {
    return this.watching(TASKS.target, companyIds);
  }

  selectRuns(companyIds: readonly number[]): Promise<MessageFilter> {
    return this.watching(RUNS.target, companyIds);
  }

  judgeRequests(events: Consumed<EventEnvelope<CompletedRequest>>[]): Promise<Prepared> {
    return this.prepare(REQUESTS, events);
  }

  judgeTasks(events: Consumed<EventEnvelope<CompletedTask>>[]): Promise<Prepared> {
    return this.prepare(TASKS, events);
  }

  judgeRuns(events: Consumed<EventEnvelope<CompletedRun>>[]): Promise<Prepared> {
    return this.prepare(RUNS, events);
  }

  @Consumer(monitorConsumers.requestCompleted, { ...BATCHED, filter: 'selectRequests', before: 'judgeRequests' })
  sampleRequests(events: Consumed<EventEnvelope<CompletedRequest>>[], tx: Tx, prepared?: Prepared): Promise<void> {
    return this.sample(tx, REQUESTS, events, prepared);
  }

  @Consumer(monitorConsumers.taskCompleted, { ...BATCHED, filter: 'selectTasks', before: 'judgeTasks' })
  sampleTasks(events: Consumed<EventEnvelope<CompletedTask>>[], tx: Tx, prepared?: Prepared): Promise<void> {
    return this.sample(tx, TASKS, events, prepared);
  }

  @Consumer(monitorConsumers.workflowRunCompleted, { ...BATCHED, filter: 'selectRuns', before: 'judgeRuns' })
  sampleRuns(events: Consumed<EventEnvelope<CompletedRun>>[], tx: Tx, prepared?: Prepared): Promise<void> {
    return this.sample(tx, RUNS, events, prepared);
  }

  /** Judges the runs that need no model. */
  private async prepare<T>(kind: SourceKind<T>, events: Completed<T>): Promise<Prepared> {
    const companyId = events[0]?.about.companyId ?? 0;
    const runs = await this.sampler.rollFor(companyId, kind.target, kind.type, sourcesOf(events, kind));
    await this.direct.add(companyId, kind.type, runs);
    return runs;
  }

  /** Without deduplication these are the events that were prepared; only replayed ones come without. */
  private async sample<T>(tx: Tx, kind: SourceKind<T>, events: Completed<T>, prepared?: Prepared): Promise<void> {
    const runs = prepared ?? (await this.sampler.roll(tx, kind.target, kind.type, sourcesOf(events, kind)));
    await this.sampler.add(tx, kind.type, runs);
  }

  private async watching(targetType: TargetType, companyIds: readonly number[]): Promise<MessageFilter> {
    const watching = await this.sampler.watchingCompanies(targetType, companyIds);
    return (companyId) => watching.has(companyId);
  }
}

function sourcesOf<T>(events: Completed<T>, { sourceOf }: SourceKind<T>): Source[] {
  const sources: Source[] = [];
  for (const { payload } of events) {
    const source = sourceOf(payload.data);
    if (source) sources.push({ ...source, occurredAt: payload.occurred_at });
  }
  return sources;
}
