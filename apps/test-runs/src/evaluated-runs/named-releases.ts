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

interface Parent {
  consumer_kind: ConsumerKind;
  consumer_id: number | null;
}

/** The gate of a release judges what was run. */
@Injectable()
export class NamedReleases {
  constructor(private readonly bus: BusClient) {}

  /** 400 for a kind without releases, and without a version that the gate could judge; 404 for an unknown name. */
  async require(parent: Parent & { version: string | null }, release_name: string, caller: Caller): Promise<void> {
    const id = idOf(parent);
    if (parent.version === null)
      throw invalidField('consumer_config.version', 'is required with a release: it names what runs at the URL');
    if (parent.consumer_kind === 'WORKFLOW')
      await this.bus.call(workflowVersions.endpoints.getRelease, { workflow_id: id, release_name }, caller);
    else await this.bus.call(agentVersions.endpoints.getRelease, { agent_id: id, release_name }, caller);
  }

  check(parent: Parent, named: { release_name: string; version: string }, caller: Caller) {
    const id = idOf(parent);
    const verdict: Promise<GateResult> =
      parent.consumer_kind === 'WORKFLOW'
        ? this.bus.call(workflowVersions.endpoints.checkRelease, { workflow_id: id, ...named }, caller)
        : this.bus.call(agentVersions.endpoints.checkRelease, { agent_id: id, ...named }, caller);
    return verdict;
  }
}

function idOf({ consumer_kind, consumer_id }: Parent): number {
  if (consumer_kind === 'MODEL' || consumer_id === null)
    throw invalidField('release', 'needs an agent or a workflow: models and programs without an agent have none');
  return consumer_id;
}
