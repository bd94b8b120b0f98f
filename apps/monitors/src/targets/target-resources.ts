import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { agents, type Caller, type TargetType, trafficLinks, workflowLinks } from '@signalbox/contracts';

/** The resources of other services that monitors watch. */
@Injectable()
export class TargetResources {
  constructor(private readonly bus: BusClient) {}

  /** The name of a resource; 404 when it does not exist in the company. */
  async nameOf(type: TargetType, id: number, caller: Caller): Promise<string> {
    switch (type) {
      case 'intent':
        return (await this.bus.call(trafficLinks.endpoints.getIntentName, { intent_id: id }, caller)).action_type;
      case 'agent':
        return (await this.bus.call(agents.endpoints.getAgent, { agent_id: id }, caller)).agent_name;
      case 'workflow':
        // Runs of workflows are not sampled, so no workflow can be attached.
        return (await this.bus.call(workflowLinks.endpoints.resolveWorkflow, { workflow_id: id }, caller))
          .workflow_name;
    }
  }
}
