import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { agentLinks, type Caller } from '@signalbox/contracts';

@Injectable()
export class BoundAgents {
  constructor(private readonly bus: BusClient) {}

  /** The default release of the agent, else its latest version, else its draft. */
  async nameOf(agent_id: number, caller: Caller): Promise<string> {
    const { version, release } = await this.bus.call(agentLinks.endpoints.getStandingTarget, { agent_id }, caller);
    const target = release ?? version;
    return target === null ? `agent:${agent_id}` : `agent:${agent_id}@${target}`;
  }
}
