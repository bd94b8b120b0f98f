import { Injectable } from '@nestjs/common';
import { type Consumed, ConsumesBatches } from '@signalbox/bus';
import { type EventEnvelope, monitorConsumers, type RequestRecord, type TaskRecord } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import { Samples } from './samples.repository.js';
import { sourceOfRequest, sourceOfTask } from './source.js';

/** Samples what happens in production, out of the path of its callers. */
@Injectable()
export class Sampling {
  constructor(private readonly samples: Samples) {}

  @ConsumesBatches(monitorConsumers.requestCompleted)
  async sampleRequests(events: Consumed<EventEnvelope<RequestRecord>>[], tx: Tx): Promise<void> {
    const sources = events.flatMap(({ payload }) => sourceOfRequest(payload.data) ?? []);
    await this.samples.add(tx, 'intent', 'request', sources);
  }

  @ConsumesBatches(monitorConsumers.taskCompleted)
  async sampleTasks(events: Consumed<EventEnvelope<TaskRecord>>[], tx: Tx): Promise<void> {
    const sources = events.flatMap(({ payload }) => sourceOfTask(payload.data) ?? []);
    await this.samples.add(tx, 'agent', 'agent_task', sources);
  }
}
