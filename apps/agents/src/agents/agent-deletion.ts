import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import {
  type Caller,
  conflict,
  type Deleted,
  monitorLinks,
  trafficLinks,
  emits,
  watchedConflict,
} from '@signalbox/contracts';
import { TaskCancellations } from '../tasks/index.js';
import { Agents } from '../drafts/index.js';
import { DraftParts } from '../versions/index.js';

/**
 * Also cancels open tasks. 409 while another agent's draft, an intent or a monitor refers to the agent; `force` unbinds
 * it from the intents, and the event of the deletion detaches it from the monitors. An intent that is bound between
 * check and deletion keeps the id of the deleted agent, and its calls return 404.
 */
@Injectable()
export class AgentDeletion {
  constructor(
    private readonly agents: Agents,
    private readonly parts: DraftParts,
    private readonly bus: BusClient,
    private readonly tasks: TaskCancellations,
  ) {}

  async delete(caller: Caller, agentId: number, force: boolean): Promise<Deleted> {
    const { companyId } = caller;
    await this.agents.require(companyId, agentId);
    await this.parts.refuseWhileNamed(companyId, agentId);
    if (force) await this.bus.call(trafficLinks.endpoints.unbindAgent, { agent_id: agentId }, caller);
    else {
      await this.requireNoIntents(agentId, caller);
      await this.requireNoMonitors(agentId, caller);
    }
    return this.agents.remove(
      caller,
      agentId,
      () => ({ events: [emits('agent.deleted')] }),
      (tx, row) => {
        this.tasks.ofAgent(tx, row.id);
        return this.parts.drop(tx, row.id);
      },
    );
  }

  private async requireNoMonitors(target_id: number, caller: Caller): Promise<void> {
    const input = { target_type: 'agent', target_id } as const;
    const watching = await this.bus.call(monitorLinks.endpoints.listWatchingMonitors, input, caller);
    if (watching.total > 0) throw watchedConflict('agent', watching);
  }

  private async requireNoIntents(agent_id: number, caller: Caller): Promise<void> {
    const { intents, total } = await this.bus.call(trafficLinks.endpoints.listBoundIntents, { agent_id }, caller);
    if (total === 0) return;
    const ids = intents.map(({ id }) => id).join(', ');
    throw conflict(
      `the agent serves ${total} intents: ${ids}${total > intents.length ? ' and more' : ''}`,
      intents.map(({ id, application_id }) => ({
        field: 'intent_id',
        message: `intent ${id} of application ${application_id} refers to the agent`,
      })),
    );
  }
}
