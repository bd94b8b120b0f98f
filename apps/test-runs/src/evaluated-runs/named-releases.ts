import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import {
  agentVersions,
  type Caller,
  type ConsumerKind,
  type GateResult,
  invalidField,
  workflowVersions,
} from '@signalbox/contracts';

/** The agent or workflow of a release. */
interface Parent {
  consumer_kind: ConsumerKind;
  consumer_id: number;
}

/** The releases that runs name: their gates judge what was run. */
@Injectable()
export class NamedReleases {
  constructor(private readonly bus: BusClient) {}

  /** 400 for a model, which has no releases; 404 when there is none of this name. */
  async require({ consumer_kind, consumer_id }: Parent, release_name: string, caller: Caller): Promise<void> {
    if (consumer_kind === 'MODEL') throw invalidField('release', 'needs an agent or a workflow: models have none');
    if (consumer_kind === 'AGENT')
      await this.bus.call(agentVersions.endpoints.getRelease, { agent_id: consumer_id, release_name }, caller);
    else await this.bus.call(workflowVersions.endpoints.getRelease, { workflow_id: consumer_id, release_name }, caller);
  }

  check({ consumer_kind, consumer_id }: Parent, named: { release_name: string; version: string }, caller: Caller) {
    const verdict: Promise<GateResult> =
      consumer_kind === 'AGENT'
        ? this.bus.call(agentVersions.endpoints.checkRelease, { agent_id: consumer_id, ...named }, caller)
        : this.bus.call(workflowVersions.endpoints.checkRelease, { workflow_id: consumer_id, ...named }, caller);
    return verdict;
  }
}
