import { Injectable } from '@nestjs/common';
import { type Consumed, ConsumesBatches, type MessageFilter, Selects } from '@signalbox/bus';
import {
  type EventEnvelope,
  monitorConsumers,
  type RequestRecord,
  type TargetType,
  type TaskRecord,
  type WorkflowRunRecord,
} from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import { Samples, type Source } from './samples.repository.js';
import { sourceOfRequest, sourceOfRun, sourceOfTask } from './source.js';

/** Samples what happens in production, out of the path of its callers. */
@Injectable()
export class Sampling {
  constructor(private readonly samples: Samples) {}

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

  @ConsumesBatches(monitorConsumers.requestCompleted)
  async sampleRequests(events: Consumed<EventEnvelope<RequestRecord>>[], tx: Tx): Promise<void> {
    await this.samples.add(tx, 'intent', 'request', sourcesOf(events, sourceOfRequest));
  }

  @ConsumesBatches(monitorConsumers.taskCompleted)
  async sampleTasks(events: Consumed<EventEnvelope<TaskRecord>>[], tx: Tx): Promise<void> {
    await this.samples.add(tx, 'agent', 'agent_task', sourcesOf(events, sourceOfTask));
  }

  @ConsumesBatches(monitorConsumers.workflowRunCompleted)
  async sampleRuns(events: Consumed<EventEnvelope<WorkflowRunRecord>>[], tx: Tx): Promise<void> {
    await this.samples.add(tx, 'workflow', 'workflow_run', sourcesOf(events, sourceOfRun));
  }

  private async watching(targetType: TargetType, companyIds: readonly number[]): Promise<MessageFilter> {
    const watching = await this.samples.watchingCompanies(targetType, companyIds);
    return (companyId) => watching.has(companyId);
  }
}

const sourcesOf = <T>(
  events: readonly Consumed<EventEnvelope<T>>[],
  sourceOf: (data: T) => Omit<Source, 'occurredAt'> | null,
): Source[] =>
  events.flatMap(({ payload: { data, occurred_at } }) => {
    const source = sourceOf(data);
    return source ? { ...source, occurredAt: occurred_at } : [];
  });
