import { Injectable } from '@nestjs/common';
import type { Caller, ConsumerKind } from '@signalbox/contracts';
import { AgentExecutor } from './agent-executor.js';
import type { ConsumerExecutor, ConsumerCall, ConsumerTarget } from './consumer-executor.js';
import { type ItemResult, failureOf } from './item-result.js';
import { ExternalExecutor } from './external-executor.js';
import { ModelExecutor } from './model-executor.js';
import { WorkflowExecutor } from './workflow-executor.js';

@Injectable()
export class ConsumerExecutors {
  constructor(
    private readonly models: ModelExecutor,
    private readonly agents: AgentExecutor,
    private readonly workflows: WorkflowExecutor,
    private readonly external: ExternalExecutor,
  ) {}

  find(kind: ConsumerKind, config: object, caller: Caller): Promise<ConsumerTarget> {
    return this.of(kind).find(config, caller);
  }

  /** Null when a dependency is down: the item is executed later. */
  async execute(call: ConsumerCall): Promise<ItemResult | null> {
    try {
      return await this.of(call.run.consumer_kind).execute(call);
    } catch (error) {
      call.signal.throwIfAborted();
      return failureOf(error);
    }
  }

  private of(kind: ConsumerKind): ConsumerExecutor {
    return { MODEL: this.models, AGENT: this.agents, WORKFLOW: this.workflows, EXTERNAL: this.external }[kind];
  }
}
