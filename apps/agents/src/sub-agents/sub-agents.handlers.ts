import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, subAgents } from '@signalbox/contracts';
import { RoutingRules } from '../routing/index.js';
import { changedTarget } from './link.js';
import { SubAgents } from './sub-agents.repository.js';

type C = typeof subAgents;

const exact = (version: string | null): string | null => (version === 'latest' ? null : version);

@Serves(subAgents)
export class SubAgentHandlers implements Handlers<C> {
  constructor(
    private readonly links: SubAgents,
    private readonly rules: RoutingRules,
  ) {}

  listSubAgents({ input, caller }: CallTo<C, 'listSubAgents'>) {
    return this.links.list(caller.companyId, input.agent_id, input);
  }

  addSubAgent({ input: { agent_id, ...body }, caller }: CallTo<C, 'addSubAgent'>) {
    const link = { ...body, version: body.version ?? null, release: body.release ?? null };
    return this.links.write(caller, agent_id, async (tx) => {
      const { child_agent_id } = link;
      await this.links.check(tx, agent_id, child_agent_id, { ...link, version: exact(link.version) });
      return this.links.add(tx, agent_id, await this.links.pinned(tx, child_agent_id, link));
    });
  }

  async updateSubAgent({ input: { agent_id, child_agent_id, ...change }, caller }: CallTo<C, 'updateSubAgent'>) {
    if (Object.keys(change).length === 0) return this.links.getToChild(caller.companyId, agent_id, child_agent_id);
    return this.links.write(caller, agent_id, async (tx) => {
      const link = await this.links.toChild(tx, agent_id, child_agent_id);
      const pinned = await this.links.pinned(tx, child_agent_id, change);
      const set = { ...pinned, ...changedTarget(link, pinned) };
      await this.links.requireTarget(tx, child_agent_id, set);
      return this.links.change(tx, agent_id, link.id, set);
    });
  }

  async removeSubAgent({ input: { agent_id, child_agent_id }, caller }: CallTo<C, 'removeSubAgent'>) {
    return this.links.write(caller, agent_id, async (tx) => {
      const { id } = await this.links.toChild(tx, agent_id, child_agent_id);
      await this.rules.refuseWhileRouted(tx, agent_id, { agent_id: child_agent_id });
      await this.links.drop(tx, agent_id, id);
      return { id: child_agent_id, deleted: true };
    });
  }
}
