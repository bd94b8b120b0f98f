import { Injectable } from '@nestjs/common';
import type { Caller, ConsumerKind } from '@signalbox/contracts';
import { AgentConsumer } from './agent-consumer.js';
import type { Consumer, ConsumerCall, ConsumerTarget } from './consumer.js';
import { type Execution, failureOf } from './execution.js';
import { ModelConsumer } from './model-consumer.js';
import { WorkflowConsumer } from './workflow-consumer.js';

/** The consumers of test runs by kind. */
@Injectable()
export class Consumers {
  constructor(
    private readonly models: ModelConsumer,
    private readonly agents: AgentConsumer,
    private readonly workflows: WorkflowConsumer,
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
    return { MODEL: this.models, AGENT: this.agents, WORKFLOW: this.workflows }[kind];
  }
}
