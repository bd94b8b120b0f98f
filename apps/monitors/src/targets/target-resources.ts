import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { agents, type Caller, type TargetType, trafficLinks, workflowLinks } from '@signalbox/contracts';

/** `name_date` is that of the change that gave the name. */
export interface TargetName {
  target_name: string;
  name_date: number;
}

@Injectable()
export class TargetResources {
  constructor(private readonly bus: BusClient) {}

  /** Throws 404. The date is 0, older than every rename, where the service returns none. */
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
