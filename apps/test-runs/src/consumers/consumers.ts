import { Injectable } from '@nestjs/common';
import { type Caller, type ConsumerKind, notFound } from '@signalbox/contracts';
import { AgentConsumer } from './agent-consumer.js';
import type { Consumer, ConsumerCall, ConsumerTarget } from './consumer.js';
import { type Execution, failureOf } from './execution.js';
import { ModelConsumer } from './model-consumer.js';

/** The consumers of test runs by kind. */
@Injectable()
export class Consumers {
  constructor(
    private readonly models: ModelConsumer,
    private readonly agents: AgentConsumer,
  ) {}

  /** Finds what a configuration names; 404 when it does not exist. */
  find(kind: ConsumerKind, config: object, caller: Caller): Promise<ConsumerTarget> {
    return this.of(kind).find(config, caller);
  }

  /** Executes one item; null when a dependency is down, so that it is executed later. */
  async execute(call: ConsumerCall): Promise<Execution | null> {
    try {
      return await this.of(call.run.consumer_kind).execute(call);
    } catch (error) {
      call.signal.throwIfAborted();
      return failureOf(error);
    }
  }

  private of(kind: ConsumerKind): Consumer {
    if (kind === 'MODEL') return this.models;
    if (kind === 'AGENT') return this.agents;
    // No service of this platform has workflows yet.
    throw notFound('workflow');
  }
}
