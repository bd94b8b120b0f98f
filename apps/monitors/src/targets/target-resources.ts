import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { agents, type Caller, type TargetType, trafficLinks, workflowLinks } from '@signalbox/contracts';

/** The name of a target, and since which change of the resource it has it. */
export interface TargetName {
  target_name: string;
  name_date: number;
}

/** The resources of other services that monitors watch. */
@Injectable()
export class TargetResources {
  constructor(private readonly bus: BusClient) {}

  /**
   * The name of a resource; 404 when it does not exist in the company. Its date is 0, older than every rename, where the
   * service does not give one.
   */
  async nameOf(type: TargetType, id: number, caller: Caller): Promise<TargetName> {
    switch (type) {
      case 'intent': {
        const { action_type } = await this.bus.call(trafficLinks.endpoints.getIntentName, { intent_id: id }, caller);
        return { target_name: action_type, name_date: 0 };
      }
      case 'agent': {
        const agent = await this.bus.call(agents.endpoints.getAgent, { agent_id: id }, caller);
        return { target_name: agent.agent_name, name_date: agent.date_updated };
      }
      case 'workflow': {
        const { endpoints } = workflowLinks;
        const { workflow_name } = await this.bus.call(endpoints.resolveWorkflow, { workflow_id: id }, caller);
        return { target_name: workflow_name, name_date: 0 };
      }
    }
  }
}
